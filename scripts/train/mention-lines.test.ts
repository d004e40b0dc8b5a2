import { expect, test } from 'vitest'
import { bestIntentLine, bestMoodLines, learnSureness } from './mention-lines.ts'

test('intents are given from the line with the highest micro-F1 over all of them', () => {
  const odds = Array.from({ length: 40 }, (_, at) => [at / 10 - 2.5])
  const line = bestIntentLine(
    odds,
    odds.map(([value]) => (value! > -1.15 ? ['pricing'] : [])),
    (of, tried) => (of[0]! > tried ? ['pricing'] : []),
  )
  expect(line).toBeCloseTo(-1.2)
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
