import { expect, test } from 'vitest'
import { throughLanes } from './through-lanes.ts'

/** Walks the numbers below `count`, and answers which had their turn, and how many failures there were. */
async function walk(
  count: number,
  work: (value: number) => boolean | Error,
): Promise<{ taken: number[]; failures: number }> {
  const taken: number[] = []
  const page = async (after: number | null, limit: number) => {
    const begin = after === null ? 0 : after + 1
    return Array.from({ length: Math.max(0, Math.min(limit, count - begin)) }, (_, at) => begin + at)
  }
  const failures = await throughLanes<number>(page, async (value) => {
    taken.push(value)
    const outcome = work(value)
    if (outcome instanceof Error) throw outcome
    // An answer takes longer than a failure.
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
    return outcome
  })
  return { taken: taken.sort((a, b) => a - b), failures: failures.length }
}

const all = (count: number) => Array.from({ length: count }, (_, at) => at)

test('everybody has their turn once, whatever fits into one look', async () => {
  for (const count of [0, 1, 199, 200, 201, 450])
    expect(await walk(count, () => true)).toEqual({ taken: all(count), failures: 0 })
})

test('some that always fail, in a row or apart, in whatever part of the list, keep nobody from their turn', async () => {
  const failing = new Set([0, 1, 2, 10, 20, 199, 200, 201, 202, 300])
  expect(await walk(500, (value) => !failing.has(value) || new Error('no'))).toEqual({
    taken: all(500),
    failures: failing.size,
  })
})

test('when nothing is heard any more between failures, nobody else is asked', async () => {
  const { taken } = await walk(500, (value) => value < 250 || new Error('no'))
  expect(taken.length).toBeLessThan(275)
  expect((await walk(500, () => new Error('no'))).taken.length).toBeLessThanOrEqual(15)
})

test('one for whom there was nothing to ask is no sign that the provider is there', async () => {
  const { taken } = await walk(500, (value) => (value % 2 === 0 ? false : new Error('no')))
  expect(taken.length).toBeLessThan(50)
})
