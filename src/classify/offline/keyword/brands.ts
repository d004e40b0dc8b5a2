import { addDirection, type Directions } from '../model/directions.ts'
import { headOf, type ModelFileHead, numbersOf, type Parts } from '../model/model-file.ts'
import { bucketOf, type Features, pair } from '../text/features.ts'
import type { TextReading } from '../text/reading.ts'
import { hasStem, type Rarity, rarityOf, stemHash, weightOfRarity } from '../text/terms.ts'
import { hashOfWord, KIND, mix } from '../text/tokens.ts'
import { labelOf } from './keyword.ts'

/** Tells posts about a known brand from chatter that only contains its name. Holds for no other brand. */
export interface Brands {
  head: ModelFileHead
  /** Brands by `brandOf`. */
  known: ReadonlySet<number>
  line: number
  traits: Traits
}

/** Reused for every text; the first `count` entries are valid. */
export interface Traits {
  count: number
  bucket: Int32Array
  strength: Float64Array
  direction: Float64Array
}

export interface Words {
  rarities: Rarity
  directions: Directions
}

export function newTraits({ directions: { dimensions } }: Words): Traits {
  const most = MOST_TRAITS + 2 * dimensions
  return {
    count: 0,
    bucket: new Int32Array(most),
    strength: new Float64Array(most),
    direction: new Float64Array(dimensions),
  }
}

export const CHATTER_LABELS = ['chatter'] as const
/** The numbers are the line and the known brands. */
const BRANDS_PART = 'relevance.brands'

export function brandsOf(model: Parts, words: Words): Brands {
  const [line, ...known] = numbersOf(model, BRANDS_PART)
  return {
    head: headOf(model, BRANDS_PART, CHATTER_LABELS),
    known: new Set(known),
    line: line!,
    traits: newTraits(words),
  }
}

export function partsOfBrands({ head, known, line }: Omit<Brands, 'traits'>): Parts {
  return { heads: { [BRANDS_PART]: head }, sections: {}, numbers: { [BRANDS_PART]: [line, ...known] } }
}

export function brandOf(label: string): number {
  return hashOfWord(label)
}

/** Log-odds by which a post is about the brand; negative for chatter. */
export function brandOdds({ head, line, traits }: Brands, words: Words, reading: TextReading, label: string): number {
  traitsOf(words, reading, label, traits)
  return line - chatterOdds(head, traits)
}

export function chatterOdds(
  { weights, scale, bias, bits }: ModelFileHead,
  { count, bucket, strength }: Pick<Traits, 'count' | 'bucket' | 'strength'>,
): number {
  const mask = (1 << bits) - 1
  let sum = 0
  for (let at = 0; at < count; at += 1) sum += strength[at]! * weights[bucket[at]! & mask]!
  return sum * scale[0]! + bias[0]!
}

/** Every trait is added once for all brands and once for this brand. */
export function traitsOf(words: Words, reading: TextReading, label: string, into: Traits): void {
  const brand = brandOf(label)
  into.count = 0
  addWords(reading, brand, into)
  addShape(reading, label, brand, into)
  addSubject(words, reading, brand, into)
}

/** Word traits share a fixed weight, so that long texts count no more than short ones. */
function addWords({ tokens, features }: TextReading, brand: number, into: Traits): void {
  for (let at = 0; at < tokens.count && at < MOST_WORDS; at += 1) {
    if (!isFirst(features, at)) continue
    addTrait(into, features.ofToken[at]!, 1)
    addTrait(into, bucketOf(mix(features.ofToken[at]!, brand)), 1)
  }
  into.strength.fill(Math.SQRT2 / Math.sqrt(into.count), 0, into.count)
}

function addShape({ tokens, counts }: TextReading, label: string, brand: number, into: Traits): void {
  // "Home Depot" and "@HomeDepot" have the same label.
  const letters = labelOf(tokens.text.slice(0, MOST_LETTERS))
  const place = letters.indexOf(label)
  const named = place < 0 ? 0 : 1
  const length = Math.min(8, Math.floor(2 * Math.log2(1 + counts.words)))
  const shape = [
    named,
    Math.min(1, counts.handles),
    length,
    Math.min(1, counts.addresses),
    Math.min(1, counts.hashtags),
    Math.min(1, counts.questions),
  ]
  shape.push(
    Math.min(1, counts.exclamations),
    20 * named + length,
    named === 0 ? 0 : 1 + Math.floor((8 * place) / letters.length),
  )
  for (const [at, value] of shape.entries()) addPlain(into, mix(mix(SHAPE, at), value), brand)
  if (tokens.count > 0) addPlain(into, mix(FIRST, tokens.hash[0]!), brand)
  if (tokens.count > 1) addPlain(into, mix(FIRST, pair(tokens.hash[0]!, tokens.hash[1]!)), brand)
  for (let at = 0, handles = 0; at < tokens.count && handles < MOST_HANDLES; at += 1) {
    if (tokens.kind[at] !== KIND.handle) continue
    handles += 1
    addPlain(into, mix(HANDLE, stemHash(tokens.text, tokens.start[at]!, tokens.end[at]!)), brand)
  }
}

/** Directions generalise to words that no training post of the brand had. */
function addSubject({ rarities, directions }: Words, { tokens, stem }: TextReading, brand: number, into: Traits): void {
  const { direction } = into
  direction.fill(0)
  let known = 0
  for (let at = 0; at < tokens.count && at < MOST_WORDS; at += 1) {
    const place = hasStem(tokens, at) ? directions.placeOf(stem[at]!) : -1
    if (place < 0) continue
    known += 1
    addDirection(directions, place, weightOfRarity(rarityOf(rarities, stem[at]!)), direction)
  }
  if (known === 0) return
  for (const [step, sum] of direction.entries()) {
    const trait = mix(SUBJECT, step)
    addTrait(into, bucketOf(trait), sum / Math.sqrt(known))
    addTrait(into, bucketOf(mix(trait, brand)), (PLAIN * sum) / Math.sqrt(known))
  }
}

function addPlain(into: Traits, trait: number, brand: number): void {
  addTrait(into, bucketOf(trait), PLAIN)
  addTrait(into, bucketOf(mix(trait, brand)), PLAIN)
}

function addTrait(into: Traits, bucket: number, strength: number): void {
  into.bucket[into.count] = bucket
  into.strength[into.count] = strength
  into.count += 1
}

/** Checks LOOK_BACK words only: in long texts a word may harmlessly count again. */
function isFirst({ ofToken }: Features, at: number): boolean {
  const own = ofToken[at]!
  if (own < 0) return false
  for (let before = Math.max(0, at - LOOK_BACK); before < at; before += 1) if (ofToken[before] === own) return false
  return true
}

const SHAPE = 1700
const FIRST = 1800
const HANDLE = 1801
const SUBJECT = 1802
const PLAIN = 0.5
const MOST_WORDS = 1000
const LOOK_BACK = 64
const MOST_LETTERS = 2000
const MOST_HANDLES = 8
const MOST_TRAITS = 2 * (MOST_WORDS + MOST_HANDLES) + 32
