import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the least that OWASP's Password Storage Cheat Sheet asks for: 19 MiB, two passes, one lane. */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Hashes that are computed at once in this process; the rest wait in their order. Each takes 19 MiB and one of the four
 * threads that name look-ups and files need too, so that a crowd at the door must not have them all.
 */
export const AT_ONCE = 3
/** Hashes that may wait besides, about a second's worth: whoever comes later would have gone before their turn came. */
export const WAITING_MAX = 100

/** Too many wait for a hash already. A moment later there may be a place. */
export class TooManyPasswords extends Error {
  constructor() {
    super(`${WAITING_MAX} passwords wait to be hashed already`)
    this.name = 'TooManyPasswords'
  }
}

/**
 * The notation of Argon2 for a password, with a salt of its own: what is stored in its place. Rejects with
 * `TooManyPasswords`.
 */
export function hashPassword(text: string): Promise<string> {
  return inTurn(() => hash(asTyped(text), ARGON2ID))
}

/**
 * Whether `text` is the password behind `hashed`. Without a hash the answer is no, after as much work as any other: how
 * long it takes does not tell whether there is an account. Rejects when `hashed` is no Argon2 notation, and with
 * `TooManyPasswords`.
 */
export async function passwordMatches(hashed: string | null, text: string): Promise<boolean> {
  const same = await inTurn(() => verify(hashed ?? NOBODYS, asTyped(text)))
  return same && hashed !== null
}

/** A hash of the same cost as a real one, made of zeros: no password is known for it. */
export const NOBODYS = [
  '$argon2id$v=19',
  `m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}`,
  'A'.repeat(22),
  'A'.repeat(43),
].join('$')

/** The same characters, whichever keyboard composed them: NIST SP 800-63B asks for a normal form before hashing. */
function asTyped(text: string): string {
  return text.normalize('NFKC')
}

let running = 0
const waiting: (() => void)[] = []

/** A place that becomes free goes straight to who has waited longest. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE && waiting.length >= WAITING_MAX) throw new TooManyPasswords()
  if (running < AT_ONCE) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
