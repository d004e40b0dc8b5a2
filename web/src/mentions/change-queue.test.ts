import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/errors.ts'
import type { MentionChange } from '../api/mentions.ts'
import { ChangeQueue, type LateOutcome, type QueuedChange, WAITING_LIMIT } from './change-queue.ts'

type Body = { ids: string[] } & Record<string, unknown>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const DONE: MentionChange = { status: 'done' }
const IGNORED: MentionChange = { status: 'ignored' }
const OPEN: MentionChange = { status: 'open' }

function changeOf(ids: readonly string[], change: MentionChange, former = OPEN): QueuedChange {
  return { change, former: Object.fromEntries(ids.map((id) => [id, former])) }
}

/** A queue, the requests that were answered, and what to say instead of an answer. */
function queueThat({ skip = [], overtaken = [] }: { skip?: string[]; overtaken?: string[] } = {}) {
  const sent: Body[] = []
  const late: LateOutcome[] = []
  const server: { fault: Error | null; tried: number } = { fault: null, tried: 0 }
  const queue = new ChangeQueue({
    update: async (body) => {
      server.tried += 1
      if (server.fault !== null) throw server.fault
      sent.push(body)
      return { skipped: body.ids.filter((id) => skip.includes(id)).map((id) => ({ id, code: 'not_found' })) }
    },
    review: async ({ former }) => ({ fitting: Object.keys(former).filter((id) => !overtaken.includes(id)), overtaken }),
    onChange: () => undefined,
    onLate: (outcome) => late.push(outcome),
  })
  return { sent, late, server, queue }
}

function noAnswer(status = 0): ApiError {
  return new ApiError(status, { code: 'no_answer', message: 'The server cannot be reached.' })
}

test('equal changes go together, others apart', async () => {
  const { sent, queue } = queueThat({ skip: ['c'] })
  const settled = [
    queue.add(changeOf(['a'], DONE)),
    queue.add(changeOf(['b'], IGNORED)),
    queue.add(changeOf(['c'], DONE)),
  ]
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(250)
  expect(sent).toEqual([
    { ids: ['a', 'c'], status: 'done' },
    { ids: ['b'], status: 'ignored' },
  ])
  expect(await settled[2]).toEqual([{ id: 'c', code: 'not_found' }])
  expect(await settled[1]).toEqual([])
})

test('a page that is left sends what is not sent yet, once', async () => {
  const { sent, queue } = queueThat()
  const settled = queue.add(changeOf(['a'], DONE))
  queue.leave()
  await settled
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([{ ids: ['a'], status: 'done' }])
})

test('no request has more than 200 ids', async () => {
  const { sent, queue } = queueThat()
  const ids = Array.from({ length: 450 }, (_, at) => `mtn_${at}`)
  const settled = queue.add(changeOf(ids, DONE))
  await vi.advanceTimersByTimeAsync(250)
  await settled
  expect(sent.map((body) => body.ids.length)).toEqual([200, 200, 50])
  expect(sent.flatMap((body) => body.ids)).toEqual(ids)
})

test('a refused request fails whoever waits for it, and the next one is sent', async () => {
  const { sent, server, queue } = queueThat()
  server.fault = new Error('no')
  const settled = queue.add(changeOf(['a'], DONE))
  queue.flush()
  await expect(settled).rejects.toThrow('no')
  server.fault = null
  await vi.advanceTimersByTimeAsync(0)
  const next = queue.add(changeOf(['a'], DONE))
  queue.flush()
  await next
  expect(sent).toHaveLength(1)
})

test('changes of one mention are sent in their order', async () => {
  const { sent, queue } = queueThat()
  const changes = [DONE, IGNORED, DONE].map((change) => queue.add(changeOf(['a'], change, { note: 'former' })))
  queue.flush()
  await Promise.all(changes)
  expect(sent.map(({ status }) => status)).toEqual(['done', 'ignored', 'done'])
})

test('a change that is taken back before it is sent needs no request', async () => {
  const { sent, queue } = queueThat()
  const changes = [queue.add(changeOf(['a', 'b'], DONE)), queue.add(changeOf(['a'], OPEN, DONE))]
  expect(queue.size).toBe(1)
  queue.flush()
  await Promise.all(changes)
  expect(sent).toEqual([{ ids: ['b'], status: 'done' }])
})

test.each([0, 401, 429, 502, 503, 504])('without a usual answer (%i) changes wait, in their order', async (status) => {
  const { sent, server, late, queue } = queueThat()
  server.fault = noAnswer(status)
  const first = queue.add(changeOf(['a'], DONE))
  queue.flush()
  expect(await first).toEqual([])
  expect(await queue.add(changeOf(['b'], IGNORED))).toEqual([])
  expect([queue.isWaiting, queue.size, server.tried]).toEqual([true, 2, 1])
  await vi.advanceTimersByTimeAsync(1000)
  expect([queue.isWaiting, server.tried]).toEqual([true, 2])
  server.fault = null
  await vi.advanceTimersByTimeAsync(2000)
  expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['b']])
  expect([queue.isWaiting, queue.size]).toEqual([false, 0])
  expect(late.map((outcome) => outcome.error)).toEqual([null, null])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(2)
})

test('what somebody changed meanwhile is not sent', async () => {
  const { sent, server, late, queue } = queueThat({ overtaken: ['b'] })
  server.fault = noAnswer()
  await Promise.all([queue.add(changeOf(['a', 'b'], DONE)), vi.advanceTimersByTimeAsync(250)])
  server.fault = null
  queue.flush()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([{ ids: ['a'], status: 'done' }])
  expect(late.map(({ overtaken }) => overtaken)).toEqual([['b']])
})

test('what is discarded is never sent, and a later change is', async () => {
  const { sent, server, queue } = queueThat()
  server.fault = noAnswer()
  await Promise.all([queue.add(changeOf(['a'], DONE)), vi.advanceTimersByTimeAsync(250)])
  expect(queue.discard()).toEqual([changeOf(['a'], DONE)])
  server.fault = null
  await Promise.all([queue.add(changeOf(['b'], IGNORED)), vi.advanceTimersByTimeAsync(5250)])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([{ ids: ['b'], status: 'ignored' }])
})

test('changes of an earlier page are reviewed and sent', async () => {
  const { sent, queue } = queueThat({ overtaken: ['b'] })
  queue.restore([changeOf(['a', 'b'], DONE), changeOf(['c'], IGNORED)])
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['c']])
})

test('a bounded number of changes can wait', async () => {
  const { server, queue } = queueThat()
  server.fault = noAnswer()
  await Promise.all([queue.add(changeOf(['a'], DONE)), vi.advanceTimersByTimeAsync(250)])
  const ids = Array.from({ length: WAITING_LIMIT }, (_, at) => `mtn_${at}`)
  await expect(queue.add(changeOf(ids, DONE))).rejects.toThrow('No more than 1,000 changes')
  expect(queue.size).toBe(1)
})

test('whoever goes on is sent for at most every five seconds, and all that came meanwhile goes together', async () => {
  const { sent, queue } = queueThat()
  for (const id of ['a', 'b', 'c', 'd']) {
    void queue.add(changeOf([id], DONE))
    await vi.advanceTimersByTimeAsync(1500)
  }
  expect(sent).toEqual([
    { ids: ['a'], status: 'done' },
    { ids: ['b', 'c', 'd'], status: 'done' },
  ])
})
