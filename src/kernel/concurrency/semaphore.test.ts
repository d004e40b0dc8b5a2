import { expect, test } from 'vitest'
import { QueueFull, Semaphore } from './semaphore.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Work that notes when it begins and ends when the test says so. */
function startWork() {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (name: number) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => {
      ends[name] = resolve
    })
    return name
  }
  return { begun, ends, work }
}

test('runs no more at once than it has permits, and the others in the order in which they came', async () => {
  const semaphore = new Semaphore(2)
  const { begun, ends, work } = startWork()
  const all = [0, 1, 2, 3].map((name) => semaphore.run(work(name)))
  await turn()
  expect(begun).toEqual([0, 1])
  ends[1]!()
  await turn()
  expect(begun).toEqual([0, 1, 2])
  ends[0]!()
  await turn()
  expect(begun).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
})

test('gets its permit back from work that fails', async () => {
  const semaphore = new Semaphore(1)
  const failed = semaphore.run(async () => {
    throw new Error('gone')
  })
  const next = semaphore.run(async () => 'next')
  await expect(failed).rejects.toThrow('gone')
  expect(await next).toBe('next')
})

test('tells that work has begun without waiting for its end', async () => {
  const semaphore = new Semaphore(1)
  const { begun, ends, work } = startWork()
  const started = (name: number) => semaphore.start(async () => void (await work(name)()))
  await started(0)
  const second = started(1)
  await turn()
  expect(begun).toEqual([0])
  ends[0]!()
  await second
  expect(begun).toEqual([0, 1])
})

test('is idle when nothing runs and nothing waits', async () => {
  const semaphore = new Semaphore(1)
  const { ends, work } = startWork()
  await semaphore.idle()
  const all = [0, 1].map((name) => semaphore.run(work(name)))
  let isIdle = false
  void semaphore.idle().then(() => {
    isIdle = true
  })
  await turn()
  ends[0]!()
  await turn()
  expect(isIdle).toBe(false)
  ends[1]!()
  await Promise.all(all)
  await turn()
  expect(isIdle).toBe(true)
})

test('so much is done at once, so much waits in its order, and the rest is turned away before it begins', async () => {
  const semaphore = new Semaphore(2, 2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const start = (number: number) =>
    semaphore.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (number === 0) throw new Error('failed')
      return number
    })
  const all = [0, 1, 2, 3].map((number) => start(number).catch((error: Error) => error.message))
  await expect(start(4)).rejects.toThrow(QueueFull)
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
