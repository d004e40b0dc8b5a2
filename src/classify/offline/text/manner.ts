import { addBucket, type Buckets, type Features, lengthFeature } from './features.ts'
import { HASH_START, hashOfWord, KIND, mix, type Tokens } from './tokens.ts'

export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'hi', 'it', 'pt'] as const

/** Styles in which the same words weigh differently. Any change of order or length needs a new training. */
export const MANNERS = ['diary', ...LANGUAGES, 'conference'] as const
export const MANNER_LABELS = ['other', ...MANNERS] as const
/** Low bits of a bucket number. */
export const MANNER_BITS = 14

export type MannerTraits = Buckets

export const newMannerTraits = (): MannerTraits => ({
  bucket: new Int32Array(MOST_TOKENS + KINDS.length + OTHER_TRAITS),
  count: 0,
})

export function mannerTraitsOf(tokens: Tokens, features: Features, into: MannerTraits): void {
  const { text, kind, hash, start, end, shouted } = tokens
  const count = Math.min(tokens.count, MOST_TOKENS)
  into.count = 0
  KINDS.fill(0)
  let capitals = 0
  let smallI = 0
  for (let at = 0; at < count; at += 1) {
    addBucket(into, hash[at]!)
    KINDS[kind[at]!]! += 1
    capitals += shouted[at]!
    if (end[at]! - start[at]! === 1 && text.charCodeAt(start[at]!) === 105) smallI = 1
  }
  for (let value = 0; value < KINDS.length; value += 1) addBucket(into, mix(COUNT + value, Math.min(3, KINDS[value]!)))
  addBucket(into, lengthFeature(KINDS[KIND.word]!))
  addBucket(into, mix(CAPITALS, Math.min(2, capitals)))
  addBucket(into, mix(SMALL_I, smallI))
  const first = text.charCodeAt(0)
  addBucket(into, mix(BEGINS_SMALL, first >= 97 && first <= 122 ? 1 : 0))
  addBucket(into, mix(ENGLISH, features.english ? 1 : 0))
}

/** The beginning shows the style. */
const MOST_TOKENS = 300
const KINDS = new Int32Array(Object.keys(KIND).length)
const OTHER_TRAITS = 5
const COUNT = mix(HASH_START, hashOfWord('<kind>'))
const CAPITALS = hashOfWord('<capitals>')
const SMALL_I = hashOfWord('<small-i>')
const BEGINS_SMALL = hashOfWord('<begins-small>')
const ENGLISH = hashOfWord('<english>')
