import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeDeliveries, empty } from '../../../test/rows.ts'
import { useFreshResource } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { updateChannel } from '../../commands/channels/update-channel.ts'
import { newDelivery, step } from '../../domain/delivery/lifecycle.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { createSealer } from '../../kernel/sealing.ts'
import { sql } from '../../store/database.ts'
import { settleDeliveries } from '../../store/delivery/settle-deliveries.ts'
import { startDelivering } from './delivering.suite.ts'

const here = useFreshResource(startDelivering)

const retry = async (id: string, requestId: string = randomUUID(), query = '') => {
  const answer = await here.acme.api('POST', `/v1/deliveries/${encodeURIComponent(id)}/retry${query}`, { requestId })
  here.wake()
  return answer
}
const codeOf = async (asked: Promise<{ status: number; body: { error?: { code: string } } | null }>) => {
  const { status, body } = await asked
  return [status, body?.error?.code]
}
const setState = (id: string, status: DeliveryStatus, error: string | null = 'status 500') =>
  changeDeliveries(here.world, { id: stored('dlv', id) }, { status, error, attempts: 5 })
const unqueue = () => empty(here.world, 'delivery_queue')

async function failed(channelId: Uuid): Promise<string> {
  const id = await here.due(channelId)
  await unqueue()
  await setState(id, 'failed')
  return id
}

test('a failed delivery goes again under its id, with all its attempts', async () => {
  const { channelId, receiver } = await here.route()
  receiver.play({ kind: 'answers', status: 410 })
  const id = await here.due(channelId)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('failed'))
  receiver.play({ kind: 'answers', status: 503 })
  const { status, body } = await retry(id)
  expect([status, body]).toMatchObject([202, { id, status: 'pending', attempts: 1, error: null, sentAt: null }])
  await here.soon(async () => expect(await here.rowOf(id)).toEqual({ status: 'failed', attempts: 6 }), 2000)
  receiver.play({ kind: 'accepts' })
  expect((await retry(id)).status).toBe(202)
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect(new Set(receiver.received.map(({ body: sent }) => JSON.parse(sent.toString()).id))).toEqual(new Set([id]))
  expect(receiver.received).toHaveLength(7)
  const { attemptLog } = (await here.acme.api('GET', `/v1/deliveries/${id}`)).body
  expect(attemptLog.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a delivery that was held for its secret is sent after the secret was renewed and the delivery retried', async () => {
  const { channelId, receiver } = await here.route()
  const id = await here.due(channelId)
  const { stop } = here.run({ sealer: createSealer('ab'.repeat(32)) })
  await here.soon(async () => expect(await here.statusOf(id)).toBe('held'))
  await stop()
  expect((await here.acme.api('POST', `/v1/channels/${toId('dest', channelId)}/rotate-secret`)).status).toBe(200)
  here.run()
  expect((await retry(id)).status).toBe(202)
  expect(await here.world.db.query(sql`select 1 from delivery_held`)).toEqual([])
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect(receiver.received).toHaveLength(1)
})

test('a mention that is closed by now is refused, and goes when it is open again', async () => {
  const { channelId, receiver } = await here.route()
  const mention = (await here.acme.makeOne('mtn'))!
  const id = await failed(channelId)
  await here.world.db.query(
    sql`update delivery set kind = 'mention', data = null, mention_id = ${stored('mtn', mention)}
        where id = ${stored('dlv', id)}`,
  )
  await here.acme.api('PATCH', `/v1/mentions/${mention}`, { status: 'done' })
  expect(await codeOf(retry(id))).toEqual([409, 'not_retryable'])
  expect(await here.statusOf(id)).toBe('failed')
  await here.acme.api('PATCH', `/v1/mentions/${mention}`, { status: 'open' })
  expect((await retry(id, randomUUID())).status).toBe(202)
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  expect(receiver.received).toHaveLength(1)
})

describe('refused is', () => {
  test.each(['pending', 'delivered', 'cancelled'] as const)('a delivery that is %s', async (status) => {
    const { channelId } = await here.route()
    const id = await failed(channelId)
    await setState(id, status)
    expect(await codeOf(retry(id))).toEqual([409, 'not_retryable'])
  })

  test('one whose channel is off, and one whose channel is gone is not found', async () => {
    const { channelId } = await here.route()
    const id = await failed(channelId)
    await updateChannel(here.acme, channelId, { enabled: false })
    expect(await codeOf(retry(id))).toEqual([409, 'channel_disabled'])
    await here.acme.api('DELETE', `/v1/channels/${toId('dest', channelId)}`)
    expect(await codeOf(retry(id))).toEqual([404, 'not_found'])
  })

  test('one that is too large to be sent', async () => {
    const { channelId } = await here.route()
    const id = await here.due(channelId, { text: 'x'.repeat(2 ** 20) })
    here.run()
    await here.soon(async () =>
      expect((await here.acme.api('GET', `/v1/deliveries/${id}`)).body).toMatchObject({
        status: 'failed',
        error: 'payload over 1 MiB',
        attemptLog: [{ request: null }],
      }),
    )
    expect(await codeOf(retry(id))).toEqual([409, 'payload_too_large'])
    expect(await codeOf(here.acme.api('POST', `/v1/deliveries/${id}/replay`, { requestId: randomUUID() }))).toEqual([
      409,
      'payload_too_large',
    ])
  })

  test.each([
    ['daily', 6 * HOUR_MS],
    // Due at 13:05, so until 14:45.
    ['hourly', 100 * MINUTE_MS],
  ] as const)('a %s digest whose time is over, or that was replayed', async (mode, windowMs) => {
    const { channelId } = await here.route()
    const alertId = stored('feed', (await here.acme.makeOne('feed'))!)
    const hour = Math.floor(here.world.clock.now().getTime() / HOUR_MS) * HOUR_MS
    const dueAt = new Date(hour + HOUR_MS + 5 * MINUTE_MS)
    const period = mode === 'daily' ? '2026-11-22' : 'h:2026-11-22T12'
    const name = `${toId('feed', alertId)}:${period}`
    await here.digest(channelId, { alertId, period, mode, dueAt })
    await here.world.clock.advance(dueAt.getTime() + windowMs - here.world.clock.now().getTime())
    expect((await retry(name)).status).toBe(202)
    await unqueue()
    await here.world.db.query(sql`update delivery set status = 'failed' where kind = 'digest'`)
    await here.world.clock.advance(1)
    expect(await codeOf(retry(name))).toEqual([409, 'digest_retry_expired'])
    const replayed = (await here.acme.api('POST', `/v1/deliveries/${name}/replay`, { requestId: randomUUID() })).body
    expect(replayed).toMatchObject({ kind: 'digest', status: 'pending', id: expect.stringMatching(/^dlv_/) })
    expect(await codeOf(retry(name))).toEqual([409, 'digest_has_replay'])
    // The replay has a window of its own.
    await unqueue()
    await setState(replayed.id, 'failed')
    await here.world.clock.advance(30 * MINUTE_MS)
    expect((await retry(replayed.id)).status).toBe(202)
  })

  test('a body without a UUID, or with more', async () => {
    const { channelId } = await here.route()
    const id = await failed(channelId)
    for (const body of [{}, { requestId: 'x' }, { requestId: randomUUID(), force: true }])
      expect(await codeOf(here.acme.api('POST', `/v1/deliveries/${id}/retry`, body))).toEqual([400, 'validation_error'])
  })
})

test('of a digest that failed in one channel and arrived in another, the failed one is retried, or the one that is named', async () => {
  const [first, two] = [await here.route(), await here.route()]
  const alertId = stored('feed', (await here.acme.makeOne('feed'))!)
  const name = `${toId('feed', alertId)}:2026-11-22`
  await here.digest(first.channelId, { alertId, period: '2026-11-22', status: 'delivered', error: null })
  const second = await here.digest(two.channelId, { alertId, period: '2026-11-22' })
  expect(await codeOf(retry(name, randomUUID(), `?channelId=${toId('dest', first.channelId)}`))).toEqual([
    409,
    'not_retryable',
  ])
  expect((await retry(name)).body).toMatchObject({ id: name, status: 'pending' })
  expect(await here.world.db.query(sql`select delivery_id from delivery_queue`)).toEqual([{ delivery_id: second }])
})

test('the same request twice is answered once, and its id for another delivery is a conflict', async () => {
  const { channelId } = await here.route()
  const [id, other] = [await failed(channelId), await failed(channelId)]
  const requestId = randomUUID()
  const answers = await Promise.all([retry(id, requestId), retry(id, requestId), retry(id, requestId.toUpperCase())])
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
  expect(answers.map(({ body }) => body)).toEqual(Array(3).fill(answers[0]!.body))
  await setState(id, 'failed')
  expect((await retry(id, requestId)).body).toMatchObject({ status: 'pending' })
  expect(await here.statusOf(id)).toBe('failed')
  expect(await codeOf(retry(other, requestId))).toEqual([409, 'request_conflict'])
  await here.world.clock.advance(24 * HOUR_MS)
  await unqueue()
  expect((await retry(other, requestId)).status).toBe(202)
})

describe('at once', () => {
  test('of several retries with ids of their own one is taken', async () => {
    const { channelId, receiver } = await here.route()
    const id = await failed(channelId)
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(retry(id))))
    expect(codes.sort()).toEqual([[202, undefined], ...Array(5).fill([409, 'not_retryable'])])
    here.run()
    await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
    expect(receiver.received).toHaveLength(1)
  })

  test('a retry and a channel that is switched off leave nothing behind that is sent or forgotten, in whatever order', async () => {
    const { channelId, receiver } = await here.route()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3 }), fc.boolean(), async (turns, retryFirst) => {
        await updateChannel(here.acme, channelId, { enabled: true })
        const id = await failed(channelId)
        const later = async (work: () => Promise<unknown>) => {
          for (let turn = 0; turn < turns; turn += 1) await here.world.db.query(sql`select 1`)
          return work()
        }
        const off = () => updateChannel(here.acme, channelId, { enabled: false })
        const [asked] = await Promise.all([
          retryFirst ? retry(id) : later(() => retry(id)),
          retryFirst ? later(off) : off(),
        ])
        const { status } = asked as { status: number }
        expect([status, await here.statusOf(id)]).toEqual(status === 202 ? [202, 'cancelled'] : [409, 'failed'])
        expect(await here.world.db.query(sql`select 1 from delivery_queue`)).toEqual([])
      }),
      { numRuns: 12 },
    )
    here.run()
    await here.world.clock.advance(MINUTE_MS)
    expect(receiver.received).toEqual([])
  })
})

describe('a failure that another process writes down late', () => {
  const at = () => here.world.clock.now()
  /** The fifth attempt, made by somebody whose lease has ended meanwhile. */
  const late = (id: string, kind: 'accepted' | 'permanent_failure') => {
    const before = { ...newDelivery({ mode: 'instant' }, at()), attempts: 4 }
    const trigger =
      kind === 'accepted' ? { kind, responseStatus: 200 } : { kind, reason: 'status 410', responseStatus: 410 }
    const next = step(before, trigger, { jitter: 0, channelEnabled: true, oversized: false, hasReplay: false }, at())
    if (next.kind !== 'moved') throw new Error('it did not move')
    const attempt = {
      at: at(),
      durationMs: 1,
      outcome: kind === 'accepted' ? ('delivered' as const) : kind,
      request: null,
      responseExcerpt: null,
    }
    const settled = {
      workspaceId: here.acme.workspaceId,
      deliveryId: stored('dlv', id),
      mentionId: null,
      state: next.state,
      leasedUntil: plus(at(), -SECOND_MS),
      attempt,
    }
    return here.world.db.transaction((tx) => settleDeliveries(tx, [settled]))
  }

  test('does not undo a retry', async () => {
    const { channelId } = await here.route()
    const id = await failed(channelId)
    expect((await retry(id)).status).toBe(202)
    await late(id, 'permanent_failure')
    expect(await here.statusOf(id)).toBe('pending')
    expect(await here.world.db.query(sql`select 1 as n from delivery_queue`)).toEqual([{ n: 1 }])
    // What was accepted is accepted.
    await late(id, 'accepted')
    expect(await here.statusOf(id)).toBe('delivered')
    expect(await here.world.db.query(sql`select 1 from delivery_queue`)).toEqual([])
    const { attemptLog } = (await here.acme.api('GET', `/v1/deliveries/${id}`)).body
    expect(attemptLog).toMatchObject([{ number: 5, outcome: 'delivered' }])
  })
})

test('a delivery of another workspace is not found', async () => {
  const { channelId } = await here.route()
  const id = await failed(channelId)
  const other = await here.world.workspace('Other')
  expect(await codeOf(other.api('POST', `/v1/deliveries/${id}/retry`, { requestId: randomUUID() }))).toEqual([
    404,
    'not_found',
  ])
  expect(await codeOf(retry(toId('dlv', newUuid(here.world.clock.now()))))).toEqual([404, 'not_found'])
})
