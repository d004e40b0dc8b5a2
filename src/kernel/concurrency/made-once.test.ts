import { expect, test } from 'vitest'
import { madeOnce } from './made-once.ts'

test('two who ask at once get the same value, which is kept', async () => {
  let times = 0
  const value = madeOnce(async () => ({ times: ++times }))
  const [first, second] = await Promise.all([value(), value()])
  expect(first).toEqual({ times: 1 })
  expect(second).toBe(first)
  expect(await value()).toBe(first)
})

test('a failure is told to all who waited for it, and the next who asks has the value made again', async () => {
  const outcomes = [() => Promise.reject(new Error('no file')), async () => 'made']
  const value = madeOnce(() => outcomes.shift()!())
  const settled = await Promise.allSettled([value(), value()])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await value()).toBe('made')
})
