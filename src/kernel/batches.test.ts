import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

test.each([
  [[0], 0, 1],
  [[2], 2, 1],
  [[3, 0], 3, 2],
  [[3, 3, 1, 3], 7, 3],
])(
  'of portions of three with %j in them it takes those up to the first that is not full',
  async (counts, sum, taken) => {
    const left = [...counts]
    expect(await inBatches(3, async () => left.shift()!)).toBe(sum)
    expect(counts.length - left.length).toBe(taken)
  },
)

test('a portion that fails ends the work', async () => {
  await expect(
    inBatches(3, async () => {
      throw new Error('gone')
    }),
  ).rejects.toThrow('gone')
})
