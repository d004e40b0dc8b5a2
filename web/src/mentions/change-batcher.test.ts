import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChangeBatcher } from './change-batcher.ts'

type Body = { ids: string[] } & Record<string, unknown>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function batcher(skip: readonly string[] = []): { sent: Body[]; changes: ChangeBatcher } {
  const sent: Body[] = []
  const changes = new ChangeBatcher(async (body) => {
    sent.push(body)
    const skipped = body.ids.filter((id) => skip.includes(id)).map((id) => ({ id, code: 'not_found' }))
    return { skipped }
  })
  return { sent, changes }
}

test('equal changes go together, others apart', async () => {
  const { sent, changes } = batcher(['c'])
  const settled = [
    changes.add(['a'], { status: 'done' }),
    changes.add(['b'], { status: 'ignored' }),
    changes.add(['c'], { status: 'done' }),
  ]
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(250)
  expect(sent).toEqual([
    { ids: ['a', 'c'], status: 'done' },
    { ids: ['b'], status: 'ignored' },
  ])
  expect(await settled[0]).toEqual([{ id: 'c', code: 'not_found' }])
  expect(await settled[1]).toEqual([])
})

test('a page that is left sends what waits, once', async () => {
  const { sent, changes } = batcher()
  const settled = changes.add(['a'], { status: 'done' })
  changes.leave()
  await settled
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual([{ ids: ['a'], status: 'done' }])
})

test('no request has more than 200 ids', async () => {
  const { sent, changes } = batcher()
  const ids = Array.from({ length: 450 }, (_, at) => `mtn_${at}`)
  await changes.add(ids, { status: 'done' })
  expect(sent.map((body) => body.ids.length)).toEqual([200, 200, 50])
  expect(sent.flatMap((body) => body.ids)).toEqual(ids)
})

test('a failed request fails whoever waits for it', async () => {
  const changes = new ChangeBatcher(async () => {
    throw new Error('no')
  })
  const settled = changes.add(['a'], { status: 'done' })
  changes.flush()
  await expect(settled).rejects.toThrow('no')
})

test('whoever goes on is sent for at most every five seconds, and all that came meanwhile goes together', async () => {
  const { sent, changes } = batcher()
  for (const id of ['a', 'b', 'c', 'd']) {
    void changes.add([id], { status: 'done' })
    await vi.advanceTimersByTimeAsync(1500)
  }
  expect(sent).toEqual([
    { ids: ['a'], status: 'done' },
    { ids: ['b', 'c', 'd'], status: 'done' },
  ])
})

test('what is changed back and forth is sent in that order, one request after the other', async () => {
  const sent: Body[] = []
  const answers: (() => void)[] = []
  const changes = new ChangeBatcher(async (body) => {
    sent.push(body)
    await new Promise<void>((resolve) => answers.push(resolve))
    return { skipped: [] }
  })
  void changes.add(['a'], { status: 'done' })
  void changes.add(['a'], { status: 'open' })
  const settled = changes.add(['a'], { status: 'done' })
  changes.flush()
  for (let answered = 0; answered < 3; answered += 1) {
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toHaveLength(answered + 1)
    answers[answered]!()
  }
  await settled
  expect(sent.map(({ status }) => status)).toEqual(['done', 'open', 'done'])
})
