import { describe, expect, test } from 'vitest'
import { chartData, type Place, seriesAt } from './chart-options.ts'
import { placeAfter } from './time-chart.tsx'

const SERIES = [
  { label: 'a', values: [1, 0, 3], colour: '--series-1' },
  { label: 'b', values: [2, 0, 1], colour: '--series-2' },
]

test('the highest sum is drawn first, and empty periods draw nothing', () => {
  expect(chartData({ periods: ['x', 'y', 'z'], series: SERIES })).toEqual([
    [0, 1, 2],
    [3, null, 4],
    [1, null, 3],
  ])
})

test.each([
  [0, 0.5, 0],
  [0, 1.5, 1],
  [0, 3.5, null],
  [1, 0.5, null],
])('in period %s at height %s is series %s', (period, height, expected) => {
  expect(seriesAt(SERIES, period, height)).toBe(expected)
})

describe('keys move', () => {
  const at = (period: number, series: number | null = null): Place => ({ period, series })
  const values = [0, 1, 1, 1, 0, 0, 0, 0, 0, 1]
  const parts = [0, 1, 2].map((part) => ({ label: '', values: part === 1 ? values.map(() => 0) : values, colour: '' }))
  test.each<[string, Place | null, Place | null | undefined]>([
    ['ArrowLeft', null, at(9)],
    ['ArrowRight', null, at(0)],
    ['ArrowRight', at(9), at(9)],
    ['ArrowLeft', at(3, 1), at(2, 1)],
    ['PageUp', at(1), at(8)],
    ['Home', at(5), at(0)],
    ['End', null, at(9)],
    ['ArrowUp', null, at(9, 0)],
    ['ArrowUp', at(3, 0), at(3, 2)],
    ['ArrowUp', at(3, 2), at(3)],
    ['ArrowUp', at(4), at(4)],
    ['ArrowDown', at(3), at(3, 2)],
    ['ArrowDown', at(3, 0), at(3)],
    ['Escape', at(3), null],
    ['Escape', null, undefined],
    ['a', at(3), undefined],
  ])('%s from %j to %j', (key, place, expected) => {
    expect(placeAfter(key, place, 10, parts)).toEqual(expected)
  })
})
