import { commonRow } from '../sentiment/sentiment-model.ts'
import type { MoodParts } from '../sentiment/sentiment-parts.ts'
import { MOODS, WEIGHED } from '../sentiment/sentiment-parts.ts'
import type { TextReading } from '../text/reading.ts'
import { MAX_CHARACTERS } from '../text/tokens.ts'

/** How much each token alone speaks for a positive and for a negative sentiment. */
export interface TokenTones {
  positive: Float32Array
  negative: Float32Array
}

export function newTokenTones(): TokenTones {
  return { positive: new Float32Array(MAX_CHARACTERS + 1), negative: new Float32Array(MAX_CHARACTERS + 1) }
}

export function tokenTonesOf({ head }: Pick<MoodParts, 'head'>, reading: TextReading, into: TokenTones): void {
  const { weights, scale } = head
  const positive = scale[POSITIVE]! * SHARE
  const negative = scale[NEGATIVE]! * SHARE
  for (let at = 0; at < reading.tokens.count; at += 1) {
    const feature = reading.features.ofToken[at]!
    const row = feature < 0 ? -1 : commonRow(feature) * MOODS
    into.positive[at] = row < 0 ? 0 : weights[row + POSITIVE]! * positive
    into.negative[at] = row < 0 ? 0 : weights[row + NEGATIVE]! * negative
  }
}

const POSITIVE = WEIGHED.indexOf('positive')
const NEGATIVE = WEIGHED.indexOf('negative')
/** Keeps the sums of a sentence near 1. */
const SHARE = 0.25
