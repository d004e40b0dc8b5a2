import { INTENTS, type Intent, SENTIMENTS, type Sentiment } from '../../src/domain/mention/classification.ts'
import { descend } from './quasi-newton.ts'

/**
 * The log-odds above which intents are given: the highest micro-F1, less the mean distance of the intents' precision
 * below LEAST_PRECISION. One line serves all intents, because few mentions have some of them, and lines of their own
 * hold less for new terms.
 */
export function bestIntentLine(
  odds: readonly ArrayLike<number>[],
  wanted: readonly (readonly Intent[])[],
  intentsAt: (odds: ArrayLike<number>, line: number) => readonly Intent[],
): number {
  let best = { worth: Number.NEGATIVE_INFINITY, line: 0 }
  for (let step = LEAST_INTENT_LINE; step <= MOST_INTENT_LINE; step += 1) {
    const line = step / 10
    const worth = worthOf(
      odds.map((item) => intentsAt(item, line)),
      wanted,
    )
    if (worth > best.worth) best = { worth, line }
  }
  return best.line
}

function worthOf(given: readonly (readonly Intent[])[], wanted: readonly (readonly Intent[])[]): number {
  const counts = new Map(INTENTS.map((intent) => [intent, { given: 0, wanted: 0, right: 0 }]))
  for (const [at, intents] of given.entries()) {
    for (const intent of wanted[at]!) counts.get(intent)!.wanted += 1
    for (const intent of intents) {
      counts.get(intent)!.given += 1
      if (wanted[at]!.includes(intent)) counts.get(intent)!.right += 1
    }
  }
  const all = [...counts.values()]
  const right = all.reduce((sum, count) => sum + count.right, 0)
  const both = all.reduce((sum, count) => sum + count.given + count.wanted, 0)
  const common = all.filter((count) => count.wanted >= COMMON_INTENT)
  const missing = common.reduce((sum, count) => sum + Math.max(0, LEAST_PRECISION - precisionOf(count)), 0)
  return (2 * right) / both - missing / Math.max(1, common.length)
}

function precisionOf({ given, right }: { given: number; right: number }): number {
  return (right + LEAST_PRECISION) / (given + 1)
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

/** In mentions. */
const COMMON_INTENT = 16
/** Of the given ones. */
const LEAST_PRECISION = 0.6
/** In tenths of log-odds. */
const LEAST_INTENT_LINE = -25
const MOST_INTENT_LINE = 5
const LEAST_LINE = -3
const MOST_LINE = 0.6
const LINE_STEP = 0.1
