import { expect, test } from 'vitest'
import { merged } from './merged.ts'

async function* counted(from: number, to: number, read: number[] = []): AsyncIterable<number> {
  for (let number = from; number <= to; number += 1) {
    read.push(number)
    yield number
  }
}

async function* failing(): AsyncIterable<number> {
  yield 1
  throw new Error('broken')
}

test('brings every item of each, in the order of each', async () => {
  const items: number[] = []
  for await (const item of merged([counted(1, 50), counted(101, 110), counted(0, -1)])) items.push(item)
  expect(items.filter((item) => item < 100)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
  expect(items.filter((item) => item > 100)).toEqual(Array.from({ length: 10 }, (_, at) => at + 101))
})

test('reads no further than its reader', async () => {
  const read: number[] = []
  const items = merged([counted(1, 50, read)])[Symbol.asyncIterator]()
  await items.next()
  await new Promise((resolve) => setImmediate(resolve))
  expect(read).toEqual([1])
  await items.return?.()
  await new Promise((resolve) => setImmediate(resolve))
  expect(read).toEqual([1])
})

test('hands over what came before a failure, and then fails', async () => {
  const items: number[] = []
  const reading = (async () => {
    for await (const item of merged([failing()])) items.push(item)
  })()
  await expect(reading).rejects.toThrow('broken')
  expect(items).toEqual([1])
})
