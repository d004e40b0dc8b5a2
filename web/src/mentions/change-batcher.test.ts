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
  changes.flush()
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
