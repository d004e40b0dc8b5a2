import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { FEATURE_VERSION } from './features.ts'

/**
 * The model file: the eight bytes `EARSHOTM`, the length of the header as an unsigned 32-bit number (little endian), the
 * header as JSON, then the weights. The header says what each part of the weights is and holds their SHA-256.
 */
const MAGIC = 'EARSHOTM'
export const FORMAT_VERSION = 1

/** Words with a direction each: words of the same subjects point the same way. */
export interface WordVectors {
  stems: Int32Array
  dimensions: number
  /** `dimensions` bytes a stem, of length 127 together. */
  vectors: Int8Array
}

/** A linear head: a row of `labels.length` signed bytes per bucket; a weight is its byte times the label's scale. */
export interface Head {
  labels: readonly string[]
  /** The head reads the low `bits` bits of a bucket number. */
  bits: number
  scale: readonly number[]
  bias: readonly number[]
  weights: Int8Array
}

export interface Model {
  trainedAt: string
  /** Softmax over positive, neutral, negative; `temperature` makes its probabilities honest. */
  sentiment: Head
  temperature: number
  /** One logistic per intent that there was data for. */
  intents: Head
  /** Directions of the commonest telling words, for comparing a post with a context. */
  vectors: WordVectors
  /** For each of 2^16 hashed words: 16 times the natural logarithm of how rare it is in posts, 0 to 255. */
  rarity: Uint8Array
}

const headShape = z.object({
  labels: z.array(z.string()).min(1),
  bits: z.int().min(8).max(18),
  scale: z.array(z.number().positive()),
  bias: z.array(z.number()),
  offset: z.int().min(0),
})
const headerShape = z.object({
  format: z.literal(FORMAT_VERSION),
  features: z.literal(FEATURE_VERSION),
  trainedAt: z.string(),
  sha256: z.string(),
  temperature: z.number().positive(),
  heads: z.object({ sentiment: headShape, intents: headShape }),
  vectors: z.object({ count: z.int().min(1), dimensions: z.int().min(1).max(512), stems: z.int().min(0), offset: z.int().min(0) }),
  rarity: z.object({ offset: z.int().min(0) }),
})

/** The file's bytes of a model. */
export function encodeModel(model: Model): Buffer {
  const parts: Uint8Array[] = []
  let offset = 0
  const place = (bytes: Uint8Array) => {
    const from = offset
    parts.push(bytes)
    offset += bytes.length
    return from
  }
  const headOf = ({ weights, ...head }: Head) => ({ ...head, offset: place(new Uint8Array(weights.buffer, weights.byteOffset, weights.length)) })
  const heads = { sentiment: headOf(model.sentiment), intents: headOf(model.intents) }
  const { stems, dimensions, vectors: directions } = model.vectors
  const vectors = {
    count: stems.length,
    dimensions,
    stems: place(stemBytes(stems)),
    offset: place(new Uint8Array(directions.buffer, directions.byteOffset, directions.length)),
  }
  const rarity = { offset: place(model.rarity) }
  const body = Buffer.concat(parts)
  const header = {
    format: FORMAT_VERSION,
    features: FEATURE_VERSION,
    trainedAt: model.trainedAt,
    sha256: sha256(body),
    temperature: model.temperature,
    heads,
    vectors,
    rarity,
  }
  const headerBytes = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(headerBytes.length)
  return Buffer.concat([Buffer.from(MAGIC, 'latin1'), length, headerBytes, body])
}

/**
 * Reads a model from a file's bytes.
 * @throws Error when they are no model, of another version, or damaged
 */
export function decodeModel(bytes: Buffer): Model {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 8) !== MAGIC) throw new Error('the classifier model is not a model file of Earshot')
  const bodyStart = 12 + bytes.readUInt32LE(8)
  const header = headerShape.safeParse(parsed(bytes.toString('utf8', 12, bodyStart)))
  if (!header.success)
    throw new Error(`the classifier model does not fit this version (format ${FORMAT_VERSION}, features ${FEATURE_VERSION}): ${z.prettifyError(header.error)}`)
  const body = bytes.subarray(bodyStart)
  const { heads, rarity, trainedAt, temperature } = header.data
  if (sha256(body) !== header.data.sha256) throw new Error('the classifier model is damaged: its checksum does not match')
  return {
    trainedAt,
    temperature,
    sentiment: headFrom(heads.sentiment, body),
    intents: headFrom(heads.intents, body),
    vectors: vectorsFrom(header.data.vectors, body),
    rarity: new Uint8Array(slice(body, rarity.offset, 1 << 16)),
  }
}

/**
 * Reads the model that belongs to this version of the code. The folder `models` lies at the root of the package, three
 * levels above this file both in `src` and in the compiled `dist`.
 */
export async function loadModel(): Promise<Model> {
  return decodeModel(await readFile(MODEL_ADDRESS))
}

export const MODEL_ADDRESS = new URL('../../../models/offline-1.bin', import.meta.url)

function headFrom(head: z.infer<typeof headShape>, body: Buffer): Head {
  const { labels, bits, scale, bias, offset } = head
  if (scale.length !== labels.length || bias.length !== labels.length) throw new Error('the classifier model is damaged: a head does not fit its labels')
  return { labels, bits, scale, bias, weights: new Int8Array(slice(body, offset, labels.length << bits)) }
}

function vectorsFrom({ count, dimensions, stems, offset }: z.infer<typeof headerShape>['vectors'], body: Buffer): WordVectors {
  const bytes = new DataView(slice(body, stems, 4 * count))
  return {
    stems: Int32Array.from({ length: count }, (_, at) => bytes.getInt32(4 * at, true)),
    dimensions,
    vectors: new Int8Array(slice(body, offset, count * dimensions)),
  }
}

/** Little endian on every machine. */
function stemBytes(stems: Int32Array): Uint8Array {
  const bytes = Buffer.alloc(4 * stems.length)
  for (const [at, stem] of stems.entries()) bytes.writeInt32LE(stem, 4 * at)
  return bytes
}

function slice(body: Buffer, offset: number, length: number): ArrayBuffer {
  if (offset + length > body.length) throw new Error('the classifier model is damaged: it ends too early')
  const copy = new ArrayBuffer(length)
  new Uint8Array(copy).set(body.subarray(offset, offset + length))
  return copy
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
