import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { FairSemaphore, PermitNotWanted } from './fair-semaphore.ts'

const LIMITS = { inAll: 3, perKey: 2, waiting: 2, waitMs: 1000, burstMs: 500 }
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

/** Work that lasts until it is ended, by its name. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await nextTick()
  }
  return { begun, work, end }
}

test('no key has more running than its bound, and all together no more than theirs', async () => {
  const semaphore = new FairSemaphore(createTestClock(), LIMITS)
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void semaphore.request(name[0]!).run(work(name))
  await nextTick()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
})

test('a free permit goes to the key whose last permit, or whose arrival, is longest ago, however many of another wait', async () => {
  const semaphore = new FairSemaphore(createTestClock(), { ...LIMITS, inAll: 1, waiting: 10 })
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void semaphore.request(name[0]!).run(work(name))
  for (let at = 0; at < 6; at += 1) {
    await nextTick()
    await end(begun.at(-1)!)
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a request that takes many permits at once gets them all in time', async () => {
  const semaphore = new FairSemaphore(createTestClock(), { ...LIMITS, perKey: 1 })
  const requests = [semaphore.request('a'), semaphore.request('a')]
  const answers = await Promise.all(
    requests.flatMap((request) =>
      [1, 2, 3, 4, 5].map((answer) => request.run(async () => nextTick().then(() => answer))),
    ),
  )
  expect(answers).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
})

test('too many that wait for their first permit are refused, of their key alone, and a request that has begun is not', async () => {
  const semaphore = new FairSemaphore(createTestClock(), { ...LIMITS, inAll: 2 })
  const { begun, work, end } = works()
  const first = semaphore.request('a')
  void first.run(work('a1'))
  void semaphore.request('a').run(work('a2'))
  for (const name of ['a3', 'a4']) void semaphore.request('a').run(work(name))
  await expect(semaphore.request('a').run(work('a5'))).rejects.toMatchObject({
    name: 'PermitRefused',
    reason: 'too many wait',
  })
  void semaphore.request('a', { patient: true }).run(work('patient'))
  void first.run(work('more'))
  void semaphore.request('b').run(work('b1'))
  for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'patient', 'more']) {
    await nextTick()
    await end(name)
  }
  expect(begun).not.toContain('a5')
})

test('one request waits for so long in all, unless it is patient', async () => {
  const clock = createTestClock()
  const semaphore = new FairSemaphore(clock, { ...LIMITS, inAll: 1 })
  const { begun, work, end } = works()
  void semaphore.request('a').run(work('a1'))
  const request = semaphore.request('a')
  void request.run(work('a2'))
  await clock.advance(600)
  await end('a1')
  const third = request.run(work('a3'))
  const patient = semaphore.request('b', { patient: true }).run(work('b1'))
  await clock.advance(399)
  await Promise.all([
    expect(third).rejects.toMatchObject({ name: 'PermitRefused', reason: 'waited too long' }),
    clock.advance(1),
  ])
  await clock.advance(10_000)
  await end('a2')
  await end('b1')
  expect([await patient, begun, clock.waits]).toEqual(['b1', ['a1', 'a2', 'b1'], 0])
})

test('who has gone waits no longer, and nothing of it is left', async () => {
  const clock = createTestClock()
  const semaphore = new FairSemaphore(clock, { ...LIMITS, inAll: 1 })
  const { begun, work, end } = works()
  void semaphore.request('a').run(work('a1'))
  const gone = new AbortController()
  const waiting = semaphore.request('b', { signal: gone.signal }).run(work('b1'))
  gone.abort()
  await expect(waiting).rejects.toBeInstanceOf(PermitNotWanted)
  await expect(semaphore.request('b', { signal: gone.signal }).run(work('b2'))).rejects.toBeInstanceOf(PermitNotWanted)
  await end('a1')
  expect([begun, clock.waits]).toEqual([['a1'], 0])
})

test('a key that holds its permits for long gets one at a time, until they have been free for as long', async () => {
  const clock = createTestClock()
  const semaphore = new FairSemaphore(clock, { ...LIMITS, waitMs: 60_000, waiting: 10 })
  const { begun, work, end } = works()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void semaphore.request('a').run(work(name))
  await nextTick()
  await clock.advance(400)
  await end('a1')
  await end('a2')
  // 800 ms were held within 400 ms, which leaves the burst used up.
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  void semaphore.request('b').run(work('b1'))
  await nextTick()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1'])
  await end('a3')
  await end('a4')
  await clock.advance(400)
  for (const name of ['a5', 'a6']) void semaphore.request('a').run(work(name))
  await nextTick()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5', 'a6'])
})

test('work that fails gives its place back', async () => {
  const semaphore = new FairSemaphore(createTestClock(), { ...LIMITS, inAll: 1 })
  await expect(semaphore.request('a').run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await semaphore.request('a').run(async () => 1)).toBe(1)
})
