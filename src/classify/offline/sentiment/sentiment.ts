import { SENTIMENTS, type Sentiment } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import type { Review } from '../../../domain/post/post.ts'
import { FAMILIES, type Family, familyOf } from '../model/family.ts'
import { sigmoid } from '../model/heads.ts'
import { negates } from '../text/negation.ts'
import type { TextReading } from '../text/reading.ts'
import { KIND } from '../text/tokens.ts'
import { commonRow, type Moods, weigh } from './sentiment-model.ts'
import { WEIGHED } from './sentiment-parts.ts'

export interface Mood {
  sentiment: Sentiment
  /** 0 to 1: how likely the sentiment is right. */
  probability: number
  /** Stars out of five when a review decided, else null. */
  stars: number | null
}

/**
 * How a text sounds: how likely each of SENTIMENTS is by its words alone, toward the keyword `term` where it stands in
 * the text (as `plainTerm` makes it).
 */
export function toneOf(moods: Moods, reading: TextReading, platform: Platform, term: string, into: Float64Array): void {
  if (reading.tokens.count === 0) {
    known('neutral', NOTHING_SAID, null, into)
    return
  }
  weigh(moods, reading, platform, term, SCORES)
  into.set(probabilitiesOf(SCORES, moods.parts.temperature))
}

/** The sentiment of a text from its tone; of a review from its stars. `probabilities` takes those of SENTIMENTS. */
export function moodOf(tone: Float64Array, review: Review | null, probabilities: Float64Array): Mood {
  const stars = review ? starsOf(review) : null
  if (stars !== null) return known(sentimentOfStars(stars), STARS_ARE_RIGHT, stars, probabilities)
  probabilities.set(tone)
  let best = 0
  for (let label = 1; label < SENTIMENTS.length; label += 1)
    if (probabilities[label]! > probabilities[best]!) best = label
  return { sentiment: SENTIMENTS[best]!, probability: probabilities[best]!, stars: null }
}

/** A sentiment that the words do not decide; the others share what is left. */
function known(sentiment: Sentiment, probability: number, stars: number | null, probabilities: Float64Array): Mood {
  probabilities.fill((1 - probability) / (SENTIMENTS.length - 1))
  probabilities[SENTIMENTS.indexOf(sentiment)] = probability
  return { sentiment, probability, stars }
}

/**
 * The mood with how often such a verdict is right, which its own probability does not quite say: among equally probable
 * ones some sentiments are right more often than others, and so are the verdicts on some platforms. A review's stars
 * know better.
 */
export function honest({ parts }: Pick<Moods, 'parts'>, mood: Mood, platform: Platform): Mood {
  if (mood.stars !== null) return mood
  const signs = surenessSigns(mood.probability, SENTIMENTS.indexOf(mood.sentiment), familyOf(platform))
  return { ...mood, probability: sigmoid(parts.sureness.reduce((sum, weight, at) => sum + weight * signs[at]!, 0)) }
}

/** What speaks for a verdict of this probability, in the order of `MoodParts.sureness`. */
export function surenessSigns(probability: number, sentiment: number, family: Family): number[] {
  return [
    logitOf(probability),
    ...SENTIMENTS.map((_, at) => (at === sentiment ? 1 : 0)),
    ...FAMILIES.map((item) => (item === family ? 1 : 0)),
  ]
}

/** The logarithm of odds, bounded so that certainty stays a number. */
function logitOf(probability: number): number {
  return Math.max(-MOST_LOGIT, Math.min(MOST_LOGIT, Math.log(probability / (1 - probability))))
}

/** The probabilities of positive, neutral and negative for the scores of `WEIGHED`. */
export function probabilitiesOf(scores: ArrayLike<number>, temperature: number): [number, number, number] {
  const top = Math.max(0, scores[0]!, scores[1]!)
  const positive = Math.exp((scores[0]! - top) / temperature)
  const negative = Math.exp((scores[1]! - top) / temperature)
  const neutral = Math.exp(-top / temperature)
  const sum = positive + neutral + negative
  return [positive / sum, neutral / sum, negative / sum]
}

/**
 * The words that spoke most for the sentiment, strongest first, as they stand in the text; a word in the reach of a
 * negation has "not" before it. Words of the keyword itself are left out, whatever the model learned of the name.
 */
export function decisiveWords(
  { parts }: Moods,
  reading: TextReading,
  sentiment: Exclude<Sentiment, 'neutral'>,
  term: string,
  most: number,
): string[] {
  const { tokens, features } = reading
  const { weights, scale } = parts.head
  const mood = WEIGHED.indexOf(sentiment)
  const found: { word: string; weight: number }[] = []
  let least = LEAST_TELLING
  for (let at = 0; at < tokens.count; at += 1) {
    const length = tokens.end[at]! - tokens.start[at]!
    if (tokens.kind[at]! > KIND.hashtag || length < 3 || length > 24) continue
    const place = commonRow(features.ofToken[at]!) * WEIGHED.length
    const weight = weights[place + mood]! * scale[mood]! - Math.max(0, weights[place + 1 - mood]! * scale[1 - mood]!)
    if (weight < least) continue
    const plain = tokens.text.slice(tokens.start[at]!, tokens.end[at]!)
    const word = features.negated[at] === 1 ? `not ${plain}` : plain
    if (!/^\p{L}+$/u.test(plain) || negates(tokens, at) || term.includes(plain.toLowerCase())) continue
    if (found.some((item) => item.word.toLowerCase() === word.toLowerCase())) continue
    found.push({ word, weight })
    found.sort((a, b) => b.weight - a.weight)
    found.length = Math.min(found.length, most)
    if (found.length === most) least = found.at(-1)!.weight
  }
  return found.map((item) => item.word)
}

/** Four and five stars are positive, three neutral, one and two negative. */
export function sentimentOfStars(stars: number): Sentiment {
  if (stars >= 4) return 'positive'
  return stars <= 2 ? 'negative' : 'neutral'
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
const MOST_LOGIT = 6
const SCORES = new Float64Array(WEIGHED.length)
