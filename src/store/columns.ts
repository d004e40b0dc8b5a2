import { DAY_MS } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'

/** Arrays in PostgreSQL's binary form, which the server need not parse. Hot paths pass one per column to `unnest`. */
export const columns = {
  uuids: (values: readonly (Uuid | null)[]) => fixed(UUID, values, (value, into, at) => writeUuid(value, into, at)),
  smallints: (values: readonly (number | null)[]) =>
    fixed(SMALLINT, values, (value, into, at) => into.writeInt16BE(value, at)),
  integers: (values: readonly (number | null)[]) =>
    fixed(INTEGER, values, (value, into, at) => into.writeInt32BE(value, at)),
  doubles: (values: readonly (number | null)[]) =>
    fixed(DOUBLE, values, (value, into, at) => into.writeDoubleBE(value, at)),
  booleans: (values: readonly (boolean | null)[]) =>
    fixed(BOOLEAN, values, (value, into, at) => {
      into[at] = value ? 1 : 0
    }),
  instants: (values: readonly (Date | null)[]) => fixed(INSTANT, values, writeInstant),
  /** The UTC days of instants. */
  dates: (values: readonly Date[]) =>
    fixed(DATE, values, (value, into, at) => into.writeInt32BE(Math.floor((value.getTime() - EPOCH_MS) / DAY_MS), at)),
  texts: (values: readonly (string | null)[]) => variable(TEXT, values, ''),
  /** Null becomes SQL null, not JSON null. */
  jsons: (values: readonly unknown[]) =>
    variable(
      JSONB,
      values.map((value) => (value === null ? null : JSON.stringify(value))),
      JSONB_VERSION,
    ),
}

/** A growing bigint column, for callers that make very many of them. */
export interface Bigints {
  readonly length: number
  add(high: number, low: number): void
  column(): Buffer
}

/** `expected` is only a first size. */
export function createBigints(expected = 512): Bigints {
  let into = Buffer.alloc(HEAD + Math.max(1, expected) * BIGINT_STRIDE)
  let length = 0
  return {
    get length() {
      return length
    },
    add(high, low) {
      let at = HEAD + length * BIGINT_STRIDE
      if (at === into.length) {
        const larger = Buffer.alloc(HEAD + 2 * length * BIGINT_STRIDE)
        into.copy(larger)
        into = larger
      }
      into[at + 3] = BIGINT.bytes
      at = writeWord(high, into, at + 4)
      writeWord(low, into, at)
      length += 1
    },
    column() {
      const column = into.subarray(0, length === 0 ? EMPTY : HEAD + length * BIGINT_STRIDE)
      writeHead(column, BIGINT.oid, length, false)
      return column
    },
  }
}

function writeWord(word: number, into: Buffer, at: number): number {
  into[at] = word >>> 24
  into[at + 1] = word >>> 16
  into[at + 2] = word >>> 8
  into[at + 3] = word
  return at + 4
}

interface FixedType {
  oid: number
  bytes: number
}

const BOOLEAN: FixedType = { oid: 16, bytes: 1 }
const BIGINT: FixedType = { oid: 20, bytes: 8 }
const SMALLINT: FixedType = { oid: 21, bytes: 2 }
const INTEGER: FixedType = { oid: 23, bytes: 4 }
const DOUBLE: FixedType = { oid: 701, bytes: 8 }
const DATE: FixedType = { oid: 1082, bytes: 4 }
const INSTANT: FixedType = { oid: 1184, bytes: 8 }
const UUID: FixedType = { oid: 2950, bytes: 16 }
const TEXT = 25
const JSONB = 3802
/** The version byte before the text. */
const JSONB_VERSION = '\u0001'
/** Dimensions, null flag, type, length and lower bound. */
const HEAD = 20
/** An empty array has no dimensions. */
const EMPTY = 12
const BIGINT_STRIDE = 4 + BIGINT.bytes
const NULL = -1

function head(oid: number, count: number, bytes: number, nulls: boolean): Buffer {
  const into = Buffer.allocUnsafe(count === 0 ? EMPTY : HEAD + bytes)
  writeHead(into, oid, count, nulls)
  return into
}

function writeHead(into: Buffer, oid: number, count: number, nulls: boolean): void {
  into.writeInt32BE(count === 0 ? 0 : 1, 0)
  into.writeInt32BE(nulls ? 1 : 0, 4)
  into.writeInt32BE(oid, 8)
  if (count === 0) return
  into.writeInt32BE(count, 12)
  into.writeInt32BE(1, 16)
}

function fixed<Value>(
  { oid, bytes }: FixedType,
  values: readonly (Value | null)[],
  write: (value: Value, into: Buffer, at: number) => void,
): Buffer {
  const nulls = values.reduce((count, value) => count + (value === null ? 1 : 0), 0)
  const into = head(oid, values.length, values.length * 4 + (values.length - nulls) * bytes, nulls > 0)
  let at = HEAD
  for (const value of values) {
    at = writeWord(value === null ? NULL : bytes, into, at)
    if (value === null) continue
    write(value, into, at)
    at += bytes
  }
  return into
}

function variable(oid: number, values: readonly (string | null)[], prefix: string): Buffer {
  let bytes = 0
  for (const value of values) bytes += 4 + (value === null ? 0 : prefix.length + Buffer.byteLength(value))
  const into = head(oid, values.length, bytes, values.includes(null))
  let at = HEAD
  for (const value of values) {
    const start = at + 4
    const length = value === null ? 0 : into.write(prefix, start, 'latin1') + into.write(value, start + prefix.length)
    into.writeInt32BE(value === null ? NULL : length, at)
    at = start + length
  }
  return into
}

/** PostgreSQL counts microseconds and days from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const HIGH = 2 ** 32

function writeInstant(value: Date, into: Buffer, at: number): void {
  const micros = (value.getTime() - EPOCH_MS) * 1000
  const high = Math.floor(micros / HIGH)
  into.writeInt32BE(high, at)
  into.writeUInt32BE(micros - high * HIGH, at + 4)
}

/** Positions of each byte's digits, and values of digits by character code. */
const UUID_DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
const DIGITS = new Uint8Array(128)
for (let value = 0; value < 16; value += 1) DIGITS[value.toString(16).charCodeAt(0)] = value

/** A mention has some twenty ids, and comparing characters takes three times as long as these tables. */
function writeUuid(value: string, into: Buffer, at: number): void {
  for (let byte = 0; byte < 16; byte += 1) {
    const from = UUID_DIGITS[byte]!
    into[at + byte] = (DIGITS[value.charCodeAt(from)]! << 4) | DIGITS[value.charCodeAt(from + 1)]!
  }
}
