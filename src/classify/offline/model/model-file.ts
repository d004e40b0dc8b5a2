import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import { FEATURE_VERSION } from '../text/features.ts'

/**
 * The model file: `EARSHOTM`, the header's length (32 bits, unsigned, little endian), the header as JSON, the body in
 * Brotli. The header has the parts' offsets and the SHA-256 of the uncompressed body.
 */
const MAGIC = 'EARSHOTM'
export const FORMAT_VERSION = 2

/** A linear head: `labels.length` signed bytes per bucket. A weight is the byte times the label's scale. */
export interface ModelFileHead {
  labels: readonly string[]
  /** The used low bits of a bucket number. */
  bits: number
  scale: readonly number[]
  bias: readonly number[]
  weights: Int8Array
}

export interface Parts {
  heads: Readonly<Record<string, ModelFileHead>>
  /** Bytes whose format only their reader knows. */
  sections: Readonly<Record<string, Uint8Array>>
  numbers: Readonly<Record<string, readonly number[]>>
}

export interface Model extends Parts {
  trainedAt: string
}

/** @throws Error when the head is missing or has other labels */
export function headOf(model: Parts, name: string, labels: readonly string[]): ModelFileHead {
  const head = partOf(model.heads, name)
  if (head.labels.length !== labels.length || head.labels.some((label, at) => label !== labels[at]))
    throw new Error(
      `the classifier model was learned for other labels: its part ${name} tells ${head.labels.join(', ')} apart`,
    )
  return head
}

export function sectionOf(model: Parts, name: string): Uint8Array {
  return partOf(model.sections, name)
}

export function numbersOf(model: Parts, name: string): readonly number[] {
  return partOf(model.numbers, name)
}

function partOf<Part>(parts: Readonly<Record<string, Part>>, name: string): Part {
  if (!Object.hasOwn(parts, name)) throw new Error(`the classifier model has no part called ${name}`)
  return parts[name]!
}

const headShape = z.object({
  labels: z.array(z.string()).min(1).readonly(),
  bits: z.int().min(8).max(20),
  scale: z.array(z.number().positive()).readonly(),
  bias: z.array(z.number()).readonly(),
  offset: z.int().min(0),
})
const headerShape = z.object({
  format: z.literal(FORMAT_VERSION),
  features: z.literal(FEATURE_VERSION),
  trainedAt: z.string(),
  sha256: z.string(),
  /** Uncompressed bytes. */
  length: z.int().min(0).max(64_000_000),
  heads: z.record(z.string(), headShape),
  sections: z.record(z.string(), z.object({ offset: z.int().min(0), length: z.int().min(0) })),
  numbers: z.record(z.string(), z.array(z.number())),
})
export type Header = z.infer<typeof headerShape>

export function encodeModel(model: Model): Buffer {
  const parts: Uint8Array[] = []
  let length = 0
  const place = (bytes: Uint8Array) => {
    const from = length
    parts.push(bytes)
    length += bytes.length
    return from
  }
  const headEntry = ([name, { weights, ...head }]: [string, ModelFileHead]) =>
    [name, { ...head, offset: place(new Uint8Array(weights.buffer, weights.byteOffset, weights.length)) }] as const
  const heads = Object.fromEntries(Object.entries(model.heads).map(headEntry))
  const sections = Object.fromEntries(
    Object.entries(model.sections).map(([name, bytes]) => [name, { offset: place(bytes), length: bytes.length }]),
  )
  const body = Buffer.concat(parts)
  const header: Header = {
    format: FORMAT_VERSION,
    features: FEATURE_VERSION,
    trainedAt: model.trainedAt,
    sha256: sha256(body),
    length,
    heads,
    sections,
    numbers: Object.fromEntries(Object.entries(model.numbers).map(([name, numbers]) => [name, [...numbers]])),
  }
  const headerBytes = Buffer.from(JSON.stringify(header))
  const headerLength = Buffer.alloc(4)
  headerLength.writeUInt32LE(headerBytes.length)
  return Buffer.concat([Buffer.from(MAGIC, 'latin1'), headerLength, headerBytes, brotliCompressSync(body, BROTLI)])
}

export function decodeModel(bytes: Buffer): Model {
  const { header, body } = unpackModel(bytes)
  return modelOver(header, body)
}

/** What threads share of a model, which `modelOver` reads. */
export interface SharedModel {
  header: Header
  body: SharedArrayBuffer
}

/** @throws Error when the bytes are no model, of another version, or damaged */
export function unpackModel(bytes: Buffer): SharedModel {
  const { header, packed } = openModel(bytes)
  try {
    return checkedModel(header, brotliDecompressSync(packed, limitOf(header)))
  } catch (error) {
    throw asDamage(error)
  }
}

/** `unpackModel` of the shipped model, without holding up the calling thread. */
export async function loadSharedModel(): Promise<SharedModel> {
  const { header, packed } = openModel(await readFile(MODEL_ADDRESS))
  try {
    return checkedModel(header, await promisify(brotliDecompress)(packed, limitOf(header)))
  } catch (error) {
    throw asDamage(error)
  }
}

function openModel(bytes: Buffer): { header: Header; packed: Buffer } {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 8) !== MAGIC)
    throw new Error('the classifier model is not a model file of Earshot')
  const bodyStart = 12 + bytes.readUInt32LE(8)
  const header = headerShape.safeParse(parsed(bytes.toString('utf8', 12, bodyStart)))
  if (!header.success)
    throw new Error(
      `the classifier model does not fit this version (format ${FORMAT_VERSION}, features ${FEATURE_VERSION}): ` +
        `${z.prettifyError(header.error)}`,
    )
  return { header: header.data, packed: bytes.subarray(bodyStart) }
}

function checkedModel(header: Header, body: Buffer): SharedModel {
  if (sha256(body) !== header.sha256) throw new Error('its checksum does not match')
  const shared = new SharedArrayBuffer(body.length)
  new Uint8Array(shared).set(body)
  return { header, body: shared }
}

/** Never inflates to more than the header says. */
function limitOf({ length }: Header): { maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, length) }
}

function asDamage(error: unknown): Error {
  const reason = error instanceof Error && !('code' in error) ? error.message : 'its body cannot be unpacked'
  return new Error(`the classifier model is damaged: ${reason}`, { cause: error })
}

export function modelOver(header: Header, body: ArrayBufferLike): Model {
  return {
    trainedAt: header.trainedAt,
    heads: mapped(header.heads, (head) => headFrom(head, body)),
    sections: mapped(header.sections, ({ offset, length }) => slice(body, offset, length)),
    numbers: header.numbers,
  }
}

export async function loadModel(): Promise<Model> {
  return decodeModel(await readFile(MODEL_ADDRESS))
}

/** The relative path is the same in `src` and in the compiled `dist`. */
export const MODEL_ADDRESS = new URL('../../../../models/offline-1.bin', import.meta.url)

function headFrom(
  { labels, bits, scale, bias, offset }: z.infer<typeof headShape>,
  body: ArrayBufferLike,
): ModelFileHead {
  if (scale.length !== labels.length || bias.length !== labels.length)
    throw new Error('the classifier model is damaged: a head does not fit its labels')
  const bytes = slice(body, offset, labels.length << bits)
  return { labels, bits, scale, bias, weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) }
}

function slice(body: ArrayBufferLike, offset: number, length: number): Uint8Array {
  if (offset + length > body.byteLength) throw new Error('the classifier model is damaged: it ends too early')
  return new Uint8Array(body, offset, length)
}

function mapped<From, To>(parts: Readonly<Record<string, From>>, change: (part: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }
