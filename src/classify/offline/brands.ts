import { addBucket, type Buckets, type Features } from './features.ts'
import { logOddsOf } from './heads.ts'
import { labelOf } from './keyword.ts'
import { type Head, headOf, numbersOf, type Parts } from './model-file.ts'
import type { Reading } from './reading.ts'
import { hashOfWord, mix } from './tokens.ts'

/**
 * What was learned of single brands: how chatter that merely falls under their name differs from posts about them. It holds
 * for the brands that it was learned from and for no others, which is why it is asked by name.
 */
export interface Brands {
  /** How much a post speaks for chatter. */
  head: Head
  /** The brands' names by their `brandOf`. */
  known: ReadonlySet<number>
  /** A post that scores more is chatter. */
  line: number
  traits: Traits
}

/** What tells chatter. */
export type Traits = Buckets

export const newTraits = (): Traits => ({ bucket: new Int32Array(MOST_TRAITS), count: 0 })

/** The label of the head. */
export const CHATTER_LABELS = ['chatter'] as const
/** The part of a model file that holds the line and then the known brands. */
const BRANDS_PART = 'relevance.brands'

export function brandsOf(model: Parts): Brands {
  const [line, ...known] = numbersOf(model, BRANDS_PART)
  return { head: headOf(model, BRANDS_PART, CHATTER_LABELS), known: new Set(known), line: line!, traits: newTraits() }
}

/** The brands as the model file keeps them. */
export function partsOfBrands({ head, known, line }: Omit<Brands, 'traits'>): Parts {
  return { heads: { [BRANDS_PART]: head }, sections: {}, numbers: { [BRANDS_PART]: [line, ...known] } }
}

/** What names a brand here: a number made of the letters and digits of its name. */
export function brandOf(label: string): number {
  return hashOfWord(label)
}

/** How far the post lies on the near side of the line between chatter and posts about the brand, as a logarithm of odds. */
export function brandOdds({ head, line, traits }: Brands, reading: Reading, label: string): number {
  traitsOf(reading, label, traits)
  return line - logOddsOf(head, traits)
}

/** Words and pairs of them, single words once more for this brand alone, and the shape of the post for all brands and for this one. */
export function traitsOf({ tokens, features, counts }: Reading, label: string, into: Traits): void {
  const brand = brandOf(label)
  into.count = Math.min(features.count, MOST_WORDS)
  into.bucket.set(features.bucket.subarray(0, into.count))
  for (let at = 0; at < tokens.count && at < MOST_WORDS; at += 1) if (isFirst(features, at)) addBucket(into, mix(features.ofToken[at]!, brand))
  // "Home Depot" and "@HomeDepot" are the same name.
  const named = labelOf(tokens.text.slice(0, MOST_LETTERS)).includes(label) ? 1 : 0
  const length = Math.min(8, Math.floor(2 * Math.log2(1 + counts.words)))
  const shape = [named, Math.min(1, counts.handles), length, Math.min(1, counts.addresses), Math.min(1, counts.hashtags), Math.min(1, counts.questions)]
  shape.push(Math.min(1, counts.exclamations), 20 * named + length)
  for (const [at, value] of shape.entries()) {
    const trait = mix(SHAPE + at, value)
    addBucket(into, trait)
    addBucket(into, mix(trait, brand))
  }
}

/** Only the nearest words before are looked at: one that a long text repeats counts a few times, which does no harm. */
function isFirst({ ofToken }: Features, at: number): boolean {
  const own = ofToken[at]!
  if (own < 0) return false
  for (let before = Math.max(0, at - LOOK_BACK); before < at; before += 1) if (ofToken[before] === own) return false
  return true
}

const SHAPE = 1700
const MOST_WORDS = 1000
const LOOK_BACK = 64
const MOST_LETTERS = 2000
const MOST_TRAITS = 2 * MOST_WORDS + 32
