import { crc32 } from 'node:zlib'
import { sharedInt32, sharedUint16 } from './memory.ts'
import { lengthOf, PhraseReader } from './phrase.ts'
import { joined, multiplierOf } from './text-scan.ts'

/**
 * A prefix (magic, version, head length and checksum), a JSON head with lengths and checksums of the parts, then the
 * arrays as in memory.
 */
const MAGIC = 'matchidx'
const VERSION = 5
const PREFIX_BYTES = 20
const VERSION_AT = 8
const HEAD_LENGTH_AT = 12
const HEAD_CHECKSUM_AT = 16

export interface MatcherSnapshot {
  /**
   * To be written in order, before the matcher changes: most are views of its memory. A torn snapshot is refused at
   * restore.
   */
  chunks: readonly Uint8Array[]
  byteLength: number
}

/** Another version of engine, Unicode or byte order; a wrong length; or altered. */
export type SnapshotRefusal = 'no snapshot' | 'other version' | 'other length' | 'damaged'

export interface SavedState {
  numbers: Record<string, number>
  arrays: Record<string, Uint8Array>
}

export interface SnapshotHead {
  multiplier: number
  label: string
  numbers: Record<string, number>
}

interface WholeHead extends SnapshotHead {
  made: string
  parts: { name: string; bytes: number; checksum: number }[]
}

export function bytesOf(array: Int32Array | Uint16Array | Uint8Array, length = array.length): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, length * array.BYTES_PER_ELEMENT)
}

export function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}

/** Null for other JSON. */
export function numberedTexts(bytes: Uint8Array): [text: string, number: number][] | null {
  const value = jsonFrom(bytes)
  return Array.isArray(value) && value.every(isNumberedText) ? value : null
}

function isNumberedText(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isInteger(value[1])
}

function jsonFrom(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch {
    return undefined
  }
}

export function int32From(bytes: Uint8Array, least = 0): Int32Array {
  const array = sharedInt32(Math.max(least, bytes.length >>> 2))
  bytesOf(array).set(bytes)
  return array
}

export function uint16From(bytes: Uint8Array, least = 0): Uint16Array {
  const array = sharedUint16(Math.max(least, bytes.length >>> 1))
  bytesOf(array).set(bytes)
  return array
}

export function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0
}

export function packSnapshot(multiplier: number, label: string, { numbers, arrays }: SavedState): MatcherSnapshot {
  const parts = Object.entries(arrays).map(([name, bytes]) => ({ name, bytes: bytes.length, checksum: crc32(bytes) }))
  const whole: WholeHead = { multiplier, label, numbers, made: madeWith(), parts }
  const head = jsonBytes(whole)
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.write(MAGIC, 'latin1')
  prefix.writeUInt32LE(VERSION, VERSION_AT)
  prefix.writeUInt32LE(head.length, HEAD_LENGTH_AT)
  prefix.writeUInt32LE(crc32(head), HEAD_CHECKSUM_AT)
  const chunks = [Buffer.concat([prefix, head]), ...Object.values(arrays)]
  return { chunks, byteLength: chunks.reduce((sum, chunk) => sum + chunk.length, 0) }
}

/** The arrays are views of `bytes`. */
export function unpackSnapshot(
  bytes: Uint8Array,
): { head: SnapshotHead; arrays: Record<string, Uint8Array> } | SnapshotRefusal {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'no snapshot'
  if (buffer.length < PREFIX_BYTES) return 'other length'
  if (buffer.readUInt32LE(VERSION_AT) !== VERSION) return 'other version'
  const from = PREFIX_BYTES + buffer.readUInt32LE(HEAD_LENGTH_AT)
  if (buffer.length < from) return 'other length'
  if (crc32(buffer.subarray(PREFIX_BYTES, from)) !== buffer.readUInt32LE(HEAD_CHECKSUM_AT)) return 'damaged'
  const head = jsonFrom(buffer.subarray(PREFIX_BYTES, from))
  if (!isHead(head)) return 'damaged'
  if (head.made !== madeWith()) return 'other version'
  return takeParts(buffer, from, head)
}

function takeParts(buffer: Buffer, from: number, head: WholeHead): ReturnType<typeof unpackSnapshot> {
  const arrays: Record<string, Uint8Array> = {}
  let at = from
  for (const { bytes } of head.parts) at += bytes
  if (at !== buffer.length) return 'other length'
  at = from
  for (const { name, bytes, checksum } of head.parts) {
    arrays[name] = buffer.subarray(at, at + bytes)
    at += bytes
    if (crc32(arrays[name]) !== checksum) return 'damaged'
  }
  return { head, arrays }
}

function isHead(value: unknown): value is WholeHead {
  if (typeof value !== 'object' || value === null) return false
  const { multiplier, label, numbers, made, parts } = value as Partial<WholeHead>
  if (!Number.isInteger(multiplier) || typeof label !== 'string' || typeof made !== 'string') return false
  if (typeof numbers !== 'object' || numbers === null || !Object.values(numbers).every(Number.isInteger)) return false
  return (
    Array.isArray(parts) &&
    parts.every((part) => typeof part?.name === 'string' && isCount(part.bytes) && Number.isInteger(part.checksum))
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Snapshots depend on how these are folded and tokenised. */
const SAMPLE =
  'Straße ΟΔΌΣ İı ﬁ Ｗｉｄｅ c++ node.js _x 日本 サーバー 한국 กท 👩\u200d💻 cafe\u0301 \u0331a x\u00ad-y 𝔘'

/** Engines with equal texts read each other's snapshots alike. */
function madeWith(): string {
  const { units, offset, packed, path, depth } = new PhraseReader(multiplierOf(1)).term(SAMPLE, false)!
  let print = packed
  for (let at = 0; at < depth; at += 1) print = joined(print, path[at]!)
  for (let at = 0; at < lengthOf(packed); at += 1) print = joined(print, units[offset + at]!)
  const order = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'little' : 'big'
  return `${order} ${process.versions['unicode']} ${(print >>> 0).toString(16)}`
}
