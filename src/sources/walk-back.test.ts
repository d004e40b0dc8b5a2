import { expect, test } from 'vitest'
import { walkBack } from './walk-back.ts'

const LIST = Array.from({ length: 10 }, (_, at) => 10 - at)
const walk = (known: number, mostPages = 10) => {
  const asked: [number, number | null][] = []
  const walked = walkBack<number>({
    mostPages,
    read: async (page, last) => {
      asked.push([page, last])
      return LIST.slice((page - 1) * 3, page * 3)
    },
    isKnown: (item) => item <= known,
  })
  return walked.then(({ items, cut }) => ({ items, cut, asked }))
}

test('pages are read back to the one with a known item, and no further', async () => {
  expect(await walk(6)).toEqual({
    items: [10, 9, 8, 7, 6, 5],
    cut: false,
    asked: [
      [1, null],
      [2, 8],
    ],
  })
})

test('the end of the list is an end like a known item', async () => {
  expect(await walk(0)).toMatchObject({ items: LIST, cut: false })
})

test('a walk that ends before anything known says that newer items are left out', async () => {
  expect(await walk(0, 2)).toMatchObject({ items: [10, 9, 8, 7, 6, 5], cut: true })
})
