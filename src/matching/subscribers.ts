import { sharedInt32 } from './memory.ts'

/**
 * Next and previous of the same term, the term, twice its rule (plus 1 when case counts), four words of its id. The
 * first of a term has, as previous, -2 minus the last.
 */
export const SUBSCRIBER_FIELDS = 8
export const SUBSCRIBER_NEXT = 0
export const SUBSCRIBER_BEFORE = 1
export const SUBSCRIBER_TERM = 2
export const SUBSCRIBER_RULES = 3
export const SUBSCRIBER_ID = 4
const FIELDS = SUBSCRIBER_FIELDS
const ID = SUBSCRIBER_ID

const UUID_LENGTH = 36
/** A power of two. */
const KEPT_IDS = 1 << 16

/**
 * The subscribers of a term are doubly linked: removal is constant in time, and a list is read from both ends in
 * parallel.
 */
export class Subscribers {
  records: Int32Array
  /** Apart from the records, which so stay within 32 bytes. */
  owners: Int32Array
  /** The words of the last id, and its text after the second request. */
  private readonly keptWords = new Int32Array(4 * KEPT_IDS)
  private readonly kept: string[] = new Array(KEPT_IDS).fill('')

  constructor(records = sharedInt32(FIELDS * 64), owners = sharedInt32(64)) {
    this.records = records
    this.owners = owners
  }

  /** Cached by words: another thread may reuse the place. */
  id(subscriber: number): string {
    const { records, keptWords } = this
    const at = FIELDS * subscriber + ID
    const place = subscriber & (KEPT_IDS - 1)
    const words = 4 * place
    if (
      keptWords[words] === records[at] &&
      keptWords[words + 1] === records[at + 1] &&
      keptWords[words + 2] === records[at + 2] &&
      keptWords[words + 3] === records[at + 3]
    ) {
      // At the second request only: caching all ids costs more than making them.
      if (this.kept[place] === '') this.kept[place] = uuidOf(keptWords, words)
      return this.kept[place]!
    }
    for (let word = 0; word < 4; word += 1) keptWords[words + word] = records[at + word]!
    this.kept[place] = ''
    return uuidOf(keptWords, words)
  }
}

export function uuidOf(words: Int32Array, at: number): string {
  const first = words[at]!
  const second = words[at + 1]!
  const third = words[at + 2]!
  const fourth = words[at + 3]!
  write(0, first >>> 16)
  write(4, first)
  write(9, second >>> 16)
  write(14, second)
  write(19, third >>> 16)
  write(24, third)
  write(28, fourth >>> 16)
  write(32, fourth)
  return TEXT.latin1Slice(0, UUID_LENGTH)
}

/** Canonical lower case only. Branch-free on the unpredictable digits. */
export function parseUuid(id: string, words: Int32Array): boolean {
  if (id.length !== UUID_LENGTH) return false
  const hyphens =
    (id.charCodeAt(8) ^ HYPHEN) |
    (id.charCodeAt(13) ^ HYPHEN) |
    (id.charCodeAt(18) ^ HYPHEN) |
    (id.charCodeAt(23) ^ HYPHEN)
  const a = fourDigits(id, 0)
  const b = fourDigits(id, 4)
  const c = fourDigits(id, 9)
  const d = fourDigits(id, 14)
  const e = fourDigits(id, 19)
  const f = fourDigits(id, 24)
  const g = fourDigits(id, 28)
  const h = fourDigits(id, 32)
  words[0] = (a << 16) | b
  words[1] = (c << 16) | d
  words[2] = (e << 16) | f
  words[3] = (g << 16) | h
  return hyphens === 0 && (a | b | c | d | e | f | g | h) >= 0
}

const HYPHEN = 0x2d
const VALUES = new Int8Array(0x10000).fill(-1)
for (let value = 0; value < 16; value += 1) VALUES[value.toString(16).charCodeAt(0)] = value

/** Negative for other characters. */
function fourDigits(id: string, at: number): number {
  return (
    (VALUES[id.charCodeAt(at)]! << 12) |
    (VALUES[id.charCodeAt(at + 1)]! << 8) |
    (VALUES[id.charCodeAt(at + 2)]! << 4) |
    VALUES[id.charCodeAt(at + 3)]!
  )
}

const TEXT = Buffer.from('00000000-0000-0000-0000-000000000000') as Buffer & {
  latin1Slice(from: number, to: number): string
}
const PAIRS = new DataView(TEXT.buffer, TEXT.byteOffset, UUID_LENGTH)
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16LE(),
)

function write(at: number, value: number): void {
  PAIRS.setUint16(at, DIGITS[(value >>> 8) & 0xff]!, true)
  PAIRS.setUint16(at + 2, DIGITS[value & 0xff]!, true)
}
