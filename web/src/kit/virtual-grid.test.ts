import { expect, test } from 'vitest'
import { nextIndex, rangeWith } from './virtual-grid.tsx'

const GRID = { last: 99, page: 8 }

test('nextIndex moves within the rows', () => {
  const moves = [
    ['ArrowDown', 5],
    ['ArrowUp', 5],
    ['PageDown', 95],
    ['PageUp', 3],
    ['Home', 50],
    ['End', 50],
    ['ArrowDown', -1],
    ['ArrowUp', 0],
  ] as const
  expect(moves.map(([key, index]) => nextIndex(key, index, GRID))).toEqual([6, 4, 99, 0, 0, 99, 0, 0])
  expect(nextIndex('j', 5, GRID)).toBeUndefined()
})

test('rangeWith renders the active row wherever the window is', () => {
  const range = { startIndex: 50, endIndex: 52, overscan: 1, count: 100 }
  expect(rangeWith(range, 51)).toEqual([49, 50, 51, 52, 53])
  expect(rangeWith(range, 3)).toEqual([3, 49, 50, 51, 52, 53])
  expect(rangeWith(range, 99)).toEqual([49, 50, 51, 52, 53, 99])
  expect(rangeWith(range, -1)).toEqual([49, 50, 51, 52, 53])
  expect(rangeWith(range, 100)).toEqual([49, 50, 51, 52, 53])
})
