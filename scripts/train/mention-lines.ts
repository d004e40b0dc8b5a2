import { SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import { descend } from './quasi-newton.ts'

/**
 * The log-odds above which an intent is given: the highest F1 among those at which most given ones are right. The count
 * is smoothed, because few mentions have some intents.
 */
export function bestLine(odds: readonly number[], wanted: readonly boolean[]): number {
  const ranked = odds.map((value, at) => ({ value, yes: wanted[at]! })).sort((a, b) => b.value - a.value)
  const all = wanted.filter(Boolean).length
  let best = { f1: 0, line: ranked[0]!.value + 1 }
  let right = 0
  for (const [at, { value, yes }] of ranked.entries()) {
    if (yes) right += 1
    const precision = (right + DOUBT / 2) / (at + 1 + DOUBT)
    const f1 = (2 * right) / (at + 1 + all)
    if (precision >= LEAST_PRECISION && f1 > best.f1)
      best = { f1, line: (value + (ranked[at + 1]?.value ?? value - 1)) / 2 }
  }
  return best.line
}

/** The lines of positive and negative with the highest macro-F1. */
export function bestMoodLines(
  odds: readonly (readonly [positive: number, negative: number])[],
  wanted: readonly Sentiment[],
): [positive: number, negative: number] {
  let best = { f1: -1, lines: [0, 0] as [number, number] }
  for (let positive = LEAST_LINE; positive <= MOST_LINE; positive += LINE_STEP)
    for (let negative = LEAST_LINE; negative <= MOST_LINE; negative += LINE_STEP) {
      const f1 = macroF1(
        odds.map(([up, down]) => sentimentOf(up - positive, down - negative)),
        wanted,
      )
      if (f1 > best.f1) best = { f1, lines: [positive, negative] }
    }
  return best.lines
}

function sentimentOf(positive: number, negative: number): Sentiment {
  if (positive > 0 && positive >= negative) return 'positive'
  return negative > 0 ? 'negative' : 'neutral'
}

function macroF1(given: readonly Sentiment[], wanted: readonly Sentiment[]): number {
  let sum = 0
  for (const sentiment of SENTIMENTS) {
    let both = 0
    let either = 0
    for (const [at, value] of given.entries()) {
      if (value === sentiment) either += 1
      if (wanted[at] === sentiment) either += 1
      if (value === sentiment && wanted[at] === sentiment) both += 2
    }
    sum += either === 0 ? 0 : both / either
  }
  return sum / SENTIMENTS.length
}

/** Weights of the signs that say how often a verdict is right. */
export function learnSureness(verdicts: readonly { signs: readonly number[]; right: boolean }[]): number[] {
  const weights = new Float64Array(verdicts[0]!.signs.length)
  descend(
    weights,
    (present, gradient) => {
      let loss = 0
      for (let at = 0; at < present.length; at += 1) {
        loss += 0.5 * present[at]! ** 2
        gradient[at] = present[at]!
      }
      for (const { signs, right } of verdicts) {
        const odds = signs.reduce((sum, sign, at) => sum + sign * present[at]!, 0)
        loss += Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))) - Number(right) * odds
        const error = 1 / (1 + Math.exp(-odds)) - Number(right)
        for (let at = 0; at < present.length; at += 1) gradient[at]! += error * signs[at]!
      }
      return loss
    },
    100,
  )
  return [...weights]
}

/** Of the given ones. */
const LEAST_PRECISION = 0.6
/** Mentions of doubt that are added to every count. */
const DOUBT = 1
const LEAST_LINE = -3
const MOST_LINE = 0.6
const LINE_STEP = 0.1
