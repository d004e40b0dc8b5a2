import { SENTIMENTS, type Sentiment } from '../../domain/mention/classification.ts'
import type { Review } from '../../domain/post/post.ts'
import { negates } from './features.ts'
import { scoreHead, softmax } from './heads.ts'
import type { Model } from './model-file.ts'
import type { Reading } from './reading.ts'
import { KIND } from './tokens.ts'

export interface Mood {
  sentiment: Sentiment
  /** 0 to 1: how likely the sentiment is right. */
  probability: number
  /** Stars out of five when a review decided, else null. */
  stars: number | null
}

/** The sentiment of a text from its words; of a review from its stars. */
export function moodOf(model: Model, reading: Reading, review: Review | null, scratch: Float64Array): Mood {
  const stars = review ? starsOf(review) : null
  if (stars !== null) return { sentiment: sentimentOfStars(stars), probability: STARS_ARE_RIGHT, stars }
  if (reading.tokens.count === 0) return { sentiment: 'neutral', probability: NOTHING_SAID, stars: null }
  scoreHead(model.sentiment, reading.features, scratch)
  const probabilities = scratch.subarray(0, SENTIMENTS.length)
  softmax(probabilities, model.temperature)
  let best = 0
  for (let label = 1; label < SENTIMENTS.length; label += 1) if (probabilities[label]! > probabilities[best]!) best = label
  return { sentiment: SENTIMENTS[best]!, probability: probabilities[best]!, stars: null }
}

/**
 * The words that spoke most for the sentiment, strongest first, as they stand in the text; a word in the reach of a
 * negation has "not" before it. Words of the keyword itself are left out, whatever the model learned of the name.
 */
export function tellingWords(model: Model, reading: Reading, sentiment: Sentiment, term: string, most: number): string[] {
  const { tokens, features } = reading
  const { weights, scale } = model.sentiment
  const mask = (1 << model.sentiment.bits) - 1
  const label = SENTIMENTS.indexOf(sentiment)
  const found: { word: string; weight: number }[] = []
  let least = LEAST_TELLING
  for (let at = 0; at < tokens.count; at += 1) {
    const length = tokens.end[at]! - tokens.start[at]!
    if (tokens.kind[at]! > KIND.hashtag || length < 3 || length > 24) continue
    const place = (features.ofToken[at]! & mask) * scale.length
    let rivals = Number.NEGATIVE_INFINITY
    for (let other = 0; other < scale.length; other += 1) if (other !== label) rivals = Math.max(rivals, weights[place + other]! * scale[other]!)
    const weight = weights[place + label]! * scale[label]! - rivals
    if (weight < least) continue
    const plain = tokens.text.slice(tokens.start[at]!, tokens.end[at]!)
    const word = features.negated[at] === 1 ? `not ${plain}` : plain
    if (!/^\p{L}+$/u.test(plain) || negates(tokens, at) || term.includes(plain.toLowerCase())) continue
    if (found.some((one) => one.word.toLowerCase() === word.toLowerCase())) continue
    found.push({ word, weight })
    found.sort((a, b) => b.weight - a.weight)
    found.length = Math.min(found.length, most)
    if (found.length === most) least = found.at(-1)!.weight
  }
  return found.map((one) => one.word)
}

/** Four and five stars are positive, three neutral, one and two negative. */
export function sentimentOfStars(stars: number): Sentiment {
  return stars >= 4 ? 'positive' : stars <= 2 ? 'negative' : 'neutral'
}

/** Stars on a scale of five, whole; null when the rating is no number. */
function starsOf(review: Review): number | null {
  const most = Number.isFinite(review.ratingMax) && review.ratingMax > 0 ? review.ratingMax : 5
  const stars = Math.round((review.rating * 5) / most)
  return Number.isFinite(stars) ? Math.max(1, Math.min(5, stars)) : null
}

/** How often stars and wording agree, roughly: people press the wrong star now and then. */
const STARS_ARE_RIGHT = 0.95
/** An empty text is neutral, but that is a guess about its picture or link. */
const NOTHING_SAID = 0.5
const LEAST_TELLING = 1
