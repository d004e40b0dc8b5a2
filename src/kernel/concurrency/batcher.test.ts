import { expect, test } from 'vitest'
import { Batcher } from './batcher.ts'

/** Work that ends when the test says so. */
function startWork() {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const batcher = new Batcher(async (group: readonly number[]) => {
    groups.push([...group])
    await new Promise<void>((resolve) => ends.push(resolve))
    return group.map((value) => value * 10)
  })
  return { groups, ends, batcher }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('works on what comes in one turn together, and on what comes later beside it', async () => {
  const { groups, ends, batcher } = startWork()
  const first = [batcher.run(1), batcher.run(2)]
  await turn()
  const second = batcher.run(3)
  await turn()
  expect(groups).toEqual([[1, 2], [3]])
  ends[1]!()
  expect(await second).toBe(30)
  ends[0]!()
  expect(await Promise.all(first)).toEqual([10, 20])
})

test('gathers while much is under way, and never more than five hundred', async () => {
  const { groups, ends, batcher } = startWork()
  const all = Array.from({ length: 100 }, (_, at) => batcher.run(at))
  await turn()
  for (let value = 100; value < 700; value += 1) {
    all.push(batcher.run(value))
    if (value % 200 === 0) await turn()
  }
  await turn()
  expect(groups.map(({ length }) => length)).toEqual([100])
  for (let end = 0; end < 3; end += 1) {
    await turn()
    ends[end]!()
  }
  expect(await Promise.all(all)).toEqual(all.map((_, at) => at * 10))
  expect(groups.map(({ length }) => length)).toEqual([100, 500, 100])
})

test('tells everybody of a group that it failed, and goes on with the next one', async () => {
  let broken = true
  const batcher = new Batcher(async (group: readonly number[]) => {
    if (broken) throw new Error('gone')
    return group
  })
  const results = await Promise.allSettled([batcher.run(1), batcher.run(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken = false
  expect(await batcher.run(3)).toBe(3)
})
