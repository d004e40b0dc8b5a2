import { expect, test } from 'vitest'
import { bestLine, bestMoodLines, learnSureness } from './mention-lines.ts'

test('an intent is given from the line with the highest F1 at which most given ones are right', () => {
  const odds = Array.from({ length: 100 }, (_, at) => at / 10)
  const line = bestLine(
    odds,
    odds.map((value) => value >= 7),
  )
  expect(line).toBeCloseTo(6.95)
  expect(
    bestLine(
      odds,
      odds.map((_, at) => at % 3 === 0),
    ),
  ).toBeGreaterThan(9)
})

test('sentiments are given from the lines with the highest macro-F1', () => {
  const odds = [
    [0, -4],
    [-1, -4],
    [-4, -1],
    [-4, -3],
    [-4, -4],
  ] as const
  const [positive, negative] = bestMoodLines(odds, ['positive', 'positive', 'negative', 'neutral', 'neutral'])
  expect(positive).toBeLessThan(-1)
  expect(negative).toBeLessThan(-1)
  expect(negative).toBeGreaterThanOrEqual(-3.01)
})

test('sureness says how often such verdicts are right', () => {
  const verdicts = Array.from({ length: 1000 }, (_, at) => ({ signs: [1], right: at % 4 !== 0 }))
  const [weight] = learnSureness(verdicts)
  expect(1 / (1 + Math.exp(-weight!))).toBeCloseTo(0.75, 2)
})
