import { bucketOf } from '../text/features.ts'
import { HASH_START, KIND, lowerOf, mix, type Tokens } from '../text/tokens.ts'

/** What was learned beyond the n-grams: for each bucket of marks the languages that they speak for or against. */
export interface LearnedLanguages {
  /** ISO 639-1 codes; the languages of the n-grams come first, in their order. */
  languages: readonly string[]
  /** What the n-grams' mean weight counts for. */
  trust: number
  bias: readonly number[]
  /** What a unit of a weight counts for. */
  scale: number
  /** How many weights each bucket has. */
  counts: Uint8Array
  /** For each weight its language and its value, bucket after bucket. */
  language: Uint8Array
  weight: Int8Array
}

/** The marks of one text: buckets without repeats. Reused from text to text; the first `count` entries count. */
export interface LanguageMarks {
  count: number
  bucket: Int32Array
  /** A bucket was seen in this text when it holds the text's stamp. */
  seen: Uint32Array
  stamp: number
}

export const LANGUAGE_BUCKETS = 1 << 15

export function newLanguageMarks(): LanguageMarks {
  return { count: 0, bucket: new Int32Array(LANGUAGE_BUCKETS), seen: new Uint32Array(LANGUAGE_BUCKETS), stamp: 0 }
}

/** The first words themselves, and one to four characters in a row of them with marks for the edges of words. */
export function gatherMarks(tokens: Tokens, into: LanguageMarks): void {
  into.count = 0
  into.stamp = (into.stamp + 1) >>> 0 || 1
  let characters = 0
  for (let token = 0; token < tokens.count && characters < MOST_CHARACTERS; token += 1) {
    const kind = tokens.kind[token]
    if (kind !== KIND.word && kind !== KIND.unspaced) continue
    if (kind === KIND.word) add(into, mix(tokens.hash[token]!, WORD))
    const start = tokens.start[token]!
    const end = Math.min(tokens.end[token]!, start + MOST_OF_WORD)
    characters += end - start
    for (let from = start - 1; from < end; from += 1) {
      let hash = mix(HASH_START, CHARACTERS)
      for (let length = 1; length <= 4 && from + length - 1 <= end; length += 1) {
        const place = from + length - 1
        hash = mix(hash, place < start || place === end ? EDGE : lowerOf(tokens.text.charCodeAt(place)))
        if (length > 1 || from >= start) add(into, mix(hash, length))
      }
    }
  }
}

/**
 * The bytes of the model's section `language.marks`: the length of the header, the header as JSON, then the three
 * arrays.
 */
export function encodeLanguages({ counts, language, weight, ...rest }: LearnedLanguages): Uint8Array {
  const header = Buffer.from(JSON.stringify(rest))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return Buffer.concat([
    length,
    header,
    counts,
    language,
    new Uint8Array(weight.buffer, weight.byteOffset, weight.length),
  ])
}

/**
 * Reads the section without copying it.
 * @throws Error when it is not as long as it says
 */
export function decodeLanguages(bytes: Uint8Array): LearnedLanguages {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const headerEnd = 4 + view.readUInt32LE(0)
  const rest = JSON.parse(view.toString('utf8', 4, headerEnd)) as Omit<
    LearnedLanguages,
    'counts' | 'language' | 'weight'
  >
  const from = headerEnd + LANGUAGE_BUCKETS
  const part = (start: number, length: number) => new Uint8Array(view.buffer, view.byteOffset + start, length)
  const counts = part(headerEnd, Math.min(LANGUAGE_BUCKETS, view.length - headerEnd))
  const weights = counts.reduce((sum, count) => sum + count, 0)
  if (view.length !== from + 2 * weights)
    throw new Error('the classifier model is damaged: its part on languages is of another length')
  const weight = new Int8Array(view.buffer, view.byteOffset + from + weights, weights)
  return { ...rest, counts, language: part(from, weights), weight }
}

function add(into: LanguageMarks, hash: number): void {
  const bucket = bucketOf(hash) & (LANGUAGE_BUCKETS - 1)
  if (into.seen[bucket] === into.stamp) return
  into.seen[bucket] = into.stamp
  into.bucket[into.count] = bucket
  into.count += 1
}

/** After so many characters a text has said enough. */
const MOST_CHARACTERS = 160
const MOST_OF_WORD = 30
const WORD = 99
const CHARACTERS = 7
const EDGE = 95
