import { expect, test } from 'vitest'
import { intervalsOf } from './intervals.ts'

/** The mean of values of which each second is 1. */
const half = (drawn: Int32Array) => [
  drawn.reduce((sum, count, at) => (at % 2 === 0 ? sum + count : sum), 0) / drawn.length,
]

test('is as wide as the spread of a mean of so many, and the same every time', () => {
  const [[low, high]] = intervalsOf(400, half) as [[number, number]]
  // 1.96 standard errors of a mean of 400 halves are 0.049.
  expect(low).toBeGreaterThan(0.44)
  expect(low).toBeLessThan(0.46)
  expect(high).toBeGreaterThan(0.54)
  expect(high).toBeLessThan(0.56)
  expect(intervalsOf(400, half)).toEqual([[low, high]])
})

test('is narrower where there is more to judge', () => {
  const width = (units: number) => intervalsOf(units, half).map(([low, high]) => high - low)[0]!
  expect(width(4000)).toBeLessThan(width(400) / 2.5)
})

test('leaves 25 of a thousand draws outside on either side, and those without a value out', () => {
  let draw = 0
  const [all, odd] = intervalsOf(1, () => {
    draw += 1
    return [draw, draw % 2 === 1 ? draw : null]
  })
  expect(all).toEqual([26, 975])
  expect(odd).toEqual([25, 975])
})
