import { expect, test } from 'vitest'
import { Crowded, createReportSemaphore } from './report-semaphore.ts'

test('so much is done at once, so much waits in its order, and the rest is turned away before it begins', async () => {
  const few = createReportSemaphore({ atOnce: 2, waiting: 2 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const start = (number: number) =>
    few(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 0) throw new Error('failed')
      return number
    })
  const all = [0, 1, 2, 3].map((number) => start(number).catch((error: Error) => error.message))
  await expect(start(4)).rejects.toThrow(Crowded)
  expect(begun).toEqual([0, 1])
  // One that fails makes room, too.
  ends[0]!()
  expect(await all[0]).toBe('failed')
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  ends[1]!()
  ends[2]!()
  expect(await Promise.all([all[1], all[2]])).toEqual([1, 2])
  ends[3]!()
  expect(await all[3]).toBe(3)
  const late = start(5)
  ends.at(-1)!()
  expect(await late).toBe(5)
})
