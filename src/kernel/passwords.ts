import { hash, verify } from '@node-rs/argon2'
import { QueueFull, Semaphore } from './concurrency/semaphore.ts'

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
  return limited(() => hash(asTyped(text), ARGON2ID))
}

/**
 * Without a hash: false, after the same work, so that timing does not reveal whether an account exists. Rejects for a
 * malformed hash and with `TooManyPasswords`.
 */
export async function passwordMatches(hashed: string | null, text: string): Promise<boolean> {
  const same = await limited(() => verify(hashed ?? NOBODYS, asTyped(text)))
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

const hashing = new Semaphore(PASSWORDS_AT_ONCE, WAITING_PASSWORDS_MAX)

function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  return hashing.run(work).catch((error: unknown) => {
    throw error instanceof QueueFull ? new TooManyPasswords() : error
  })
}
