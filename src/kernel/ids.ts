import { hash, randomFillSync } from 'node:crypto'

/** The prefix names the kind of an id; the rest is a UUID. */
export const ID_PREFIXES = [
  'kw',
  'grp',
  'key',
  'org',
  'dest',
  'feed',
  'dlv',
  'mtn',
  'aut',
  'seg',
  'vw',
  'att',
  'mem',
  'inv',
  'led',
  'user',
  'req',
  'aud',
  'insp',
  'src',
  'sup',
] as const
export type IdPrefix = (typeof ID_PREFIXES)[number]

/** Prefix, underscore, 26 characters of lowercase base32. */
export type Id<Prefix extends IdPrefix = IdPrefix> = `${Prefix}_${string}`

export type Uuid = string & { readonly __uuid: true }

/** Crockford's alphabet keeps byte order, so ids sort by time. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, BigInt(value)]))
const TAIL = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

let lastMs = 0
let sequence = 0
/** Drawn for many ids at once: small draws cost more than the rest of an id. */
const RANDOM_BYTES = 8
const random = Buffer.alloc(512 * RANDOM_BYTES)
let randomUsed = random.length

/**
 * Version 7 (RFC 9562), strictly increasing within a process even when the clock is set back: the 12 bits after the
 * time count, and overflow borrows from the next millisecond.
 */
export function newUuid(at: Date): Uuid {
  const ms = at.getTime()
  if (ms > lastMs) {
    lastMs = ms
    sequence = 0
  } else if (sequence === 0xfff) {
    lastMs += 1
    sequence = 0
  } else {
    sequence += 1
  }
  if (randomUsed === random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const count = sequence.toString(16).padStart(3, '0')
  random[randomUsed] = (random[randomUsed]! & 0x3f) | 0x80
  const tail = random.toString('hex', randomUsed, randomUsed + RANDOM_BYTES)
  randomUsed += RANDOM_BYTES
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${tail.slice(0, 4)}-${tail.slice(4)}` as Uuid
}

/** Lets ids begin at any time again, as in a new process. Tests set the clock back between them. */
export function forgetLastUuid(): void {
  lastMs = 0
  sequence = 0
}

/** Version 8, the same for the same parts on every machine. */
export function uuidFromName(...parts: readonly string[]): Uuid {
  // The one-shot digest costs a fraction of a hash object's time and garbage.
  const hex = hash('sha256', parts.join('\u0000'), 'hex')
  const variant = VARIANTS[Number.parseInt(hex[16]!, 16) & 3]!
  const tail = `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${tail}` as Uuid
}

/** Digits of the UUID variant, by their two free bits. */
const VARIANTS = '89ab'

/** Two characters for each value of ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, value) => ALPHABET[value >> 5]! + ALPHABET[value & 31]!)

const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0)
const DASH = 45

/** Read digit by digit without strings in between, because a page of mentions has hundreds of ids. */
export function toId<Prefix extends IdPrefix>(prefix: Prefix, uuid: Uuid): Id<Prefix> {
  // The first two characters take eight bits; then five digits (20 bits) make four characters.
  let id = `${prefix}_${PAIRS[(digitAt(uuid, 0) << 4) | digitAt(uuid, 1)]!}`
  let bits = 0
  let read = 0
  for (let at = 2; at < uuid.length; at += 1) {
    if (uuid.charCodeAt(at) === DASH) continue
    bits = (bits << 4) | digitAt(uuid, at)
    read += 1
    if (read < 5) continue
    id += PAIRS[bits >> 10]! + PAIRS[bits & 1023]!
    bits = 0
    read = 0
  }
  return id as Id<Prefix>
}

function digitAt(uuid: Uuid, at: number): number {
  return DIGITS[uuid.charCodeAt(at)]!
}

/** Null for another form or prefix, which callers report as not found. */
export function fromId(prefix: IdPrefix, id: string): Uuid | null {
  if (!id.startsWith(`${prefix}_`)) return null
  const tail = id.slice(prefix.length + 1)
  if (!TAIL.test(tail)) return null
  let value = 0n
  for (const letter of tail) value = (value << 5n) | VALUES.get(letter)!
  const hex = value.toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Uuid
}

export function newId<Prefix extends IdPrefix>(prefix: Prefix, at: Date): Id<Prefix> {
  return toId(prefix, newUuid(at))
}

/** UUIDs made at or after the instant compare greater or equal. */
export function firstUuidAt(at: Date): Uuid {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000` as Uuid
}

/** Never earlier than that of a smaller UUID of the process. */
export function timeOfUuid(uuid: Uuid): Date {
  return new Date(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16))
}

/** The order of PostgreSQL, in which rows are locked. */
export function compareUuids(a: Uuid, b: Uuid): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
