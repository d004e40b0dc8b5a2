import { hash, verify } from '@node-rs/argon2'

/** The minimum of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Concurrent hashes. Each takes 19 MiB and one of the four threads that lookups and files share, so one stays free. */
export const PASSWORDS_AT_ONCE = 3
/** About a second of waiting; later callers would give up first. */
export const WAITING_PASSWORDS_MAX = 100

export class TooManyPasswords extends Error {
  constructor() {
    super(`${WAITING_PASSWORDS_MAX} passwords wait to be hashed already`)
    this.name = 'TooManyPasswords'
  }
}

/** The salted Argon2 notation. Rejects with `TooManyPasswords`. */
export function hashPassword(text: string): Promise<string> {
  return inTurn(() => hash(asTyped(text), ARGON2ID))
}

/**
 * Without a hash: false, after the same work, so that timing does not reveal whether an account exists. Rejects for a
 * malformed hash and with `TooManyPasswords`.
 */
export async function passwordMatches(hashed: string | null, text: string): Promise<boolean> {
  const same = await inTurn(() => verify(hashed ?? NOBODYS, asTyped(text)))
  return same && hashed !== null
}

/** A hash of zeros at full cost; no password is known for it. */
export const NOBODYS = [
  '$argon2id$v=19',
  `m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}`,
  'A'.repeat(22),
  'A'.repeat(43),
].join('$')

/** NIST SP 800-63B asks for normalisation, so that keyboards do not matter. */
function asTyped(text: string): string {
  return text.normalize('NFKC')
}

let running = 0
const waiting: (() => void)[] = []

/** A free place goes to the longest waiter. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= PASSWORDS_AT_ONCE && waiting.length >= WAITING_PASSWORDS_MAX) throw new TooManyPasswords()
  if (running < PASSWORDS_AT_ONCE) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
