import { expect, test } from 'vitest'
import { sparkPoints } from './spark.tsx'

test('draws the greatest value at the top and zero at the bottom', () => {
  expect(sparkPoints([0, 5, 10])).toBe('1,19 40,10 79,1')
})

test('draws zeros, a single value and no value', () => {
  expect(sparkPoints([0, 0])).toBe('1,19 79,19')
  expect(sparkPoints([3])).toBe('1,1')
  expect(sparkPoints([])).toBe('')
})
