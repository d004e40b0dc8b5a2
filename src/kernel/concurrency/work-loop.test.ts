import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { WorkLoop } from './work-loop.ts'

/** A loop over a queue of numbers, the step of which fails once for a negative one. */
function startLoop() {
  const clock = createTestClock()
  const ending = new AbortController()
  const queue: number[] = []
  const done: number[] = []
  const failures: unknown[] = []
  const loop = new WorkLoop({
    clock,
    signal: ending.signal,
    hasWork: () => queue.length > 0,
    async step() {
      await Promise.resolve()
      const next = queue.shift()!
      if (next < 0) queue.unshift(-next)
      if (next < 0) throw new Error('not yet')
      done.push(next)
    },
    onFailure: (error) => failures.push(error),
    retryMs: 1000,
  })
  return { clock, ending, queue, done, failures, loop }
}

test('works until there is nothing left, in one loop however often it is asked to', async () => {
  const { queue, done, loop } = startLoop()
  queue.push(1, 2)
  const first = loop.run()
  queue.push(3)
  await loop.run()
  expect(done.length).toBeLessThan(3)
  await first
  expect(done).toEqual([1, 2, 3])
})

test('tries again after a failure, and not once the signal is aborted', async () => {
  const { clock, ending, queue, done, failures, loop } = startLoop()
  queue.push(-1)
  const run = loop.run()
  await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(1000)
  await run
  expect(done).toEqual([1])
  expect(failures).toHaveLength(1)
  queue.push(2)
  ending.abort()
  await loop.run()
  expect(done).toEqual([1])
})
