import { addBucket, type Buckets, type Features, lengthFeature } from './features.ts'
import { HASH_START, hashOfWord, KIND, mix, type Tokens } from './tokens.ts'

/** Languages that are a manner of writing of their own. */
export const LANGUAGES = ['ar', 'de', 'es', 'fr', 'hi', 'it', 'pt'] as const

/**
 * Manners of writing on social networks that are told by the words themselves, and in which the same words weigh
 * differently: notes on one's own day, to nobody, posts in languages other than English, and posts from a conference.
 * The order is part of the model's format, and more of them move the groups behind them: the model is learned anew with
 * either.
 */
export const MANNERS = ['diary', ...LANGUAGES, 'conference'] as const
/** The labels of the head that tells them; the first stands for all that is written otherwise. */
export const MANNER_LABELS = ['other', ...MANNERS] as const
/** The head reads so many bits of a bucket number. */
export const MANNER_BITS = 14

/** What tells a manner. */
export type MannerTraits = Buckets

export const newMannerTraits = (): MannerTraits => ({
  bucket: new Int32Array(MOST_TOKENS + KINDS.length + OTHER_TRAITS),
  count: 0,
})

/**
 * The beginning's tokens, how many there are of each kind, how capitals are used, and whether the text reads as
 * English.
 */
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

/** How a text is written is clear from its beginning. */
const MOST_TOKENS = 300
const KINDS = new Int32Array(Object.keys(KIND).length)
/** The length, shouted words, a small "i", a small beginning, English. */
const OTHER_TRAITS = 5
const COUNT = mix(HASH_START, hashOfWord('<kind>'))
const CAPITALS = hashOfWord('<capitals>')
const SMALL_I = hashOfWord('<small-i>')
const BEGINS_SMALL = hashOfWord('<begins-small>')
const ENGLISH = hashOfWord('<english>')
