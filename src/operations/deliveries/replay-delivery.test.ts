import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeDeliveries, empty } from '../../../test/rows.ts'
import { useFreshResource } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { updateChannel } from '../../commands/channels/update-channel.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { startDelivering } from './delivering.suite.ts'

const here = useFreshResource(startDelivering)

const replay = async (id: string, requestId: string = randomUUID()) => {
  const answer = await here.acme.api('POST', `/v1/deliveries/${encodeURIComponent(id)}/replay`, { requestId })
  here.wake()
  return answer
}

test('a finished delivery is sent again with the same contents, as a new one that is listed beside it', async () => {
  const { channelId, receiver } = await here.route()
  const id = await here.due(channelId, { number: 7 })
  expect((await replay(id)).body.error.code).toBe('not_replayable')
  here.run()
  await here.soon(async () => expect(await here.statusOf(id)).toBe('delivered'))
  const { status, body } = await replay(id)
  expect([status, body]).toMatchObject([202, { kind: 'event', event: 'wallet.low', status: 'pending', attempts: 0 }])
  expect(body.id).not.toBe(id)
  await here.soon(async () => expect(await here.statusOf(body.id)).toBe('delivered'))
  const [first, second] = receiver.received.map(({ body: sent }) => JSON.parse(sent.toString()))
  expect([first.id, second.id]).toEqual([id, body.id])
  expect(second.data).toEqual(first.data)
  expect(await here.statusOf(id)).toBe('delivered')
  const log = (await here.acme.api('GET', `/v1/channels/${toId('dest', channelId)}/deliveries`)).body.data
  expect(log.map((entry: { id: string }) => entry.id)).toEqual([body.id, id])
})

test.each(['failed', 'cancelled'] as const)(
  'what is %s can be replayed too, what is held or waits cannot',
  async (status) => {
    const { channelId } = await here.route()
    const id = await here.due(channelId)
    const set = (now: DeliveryStatus) => changeDeliveries(here.world, { id: stored('dlv', id) }, { status: now })
    for (const open of ['held', 'pending'] as const) {
      await set(open)
      expect((await replay(id)).body.error.code).toBe('not_replayable')
    }
    await set(status)
    expect((await replay(id)).status).toBe(202)
  },
)

test('the same request twice makes one, two requests two, and a channel that is off none', async () => {
  const { channelId } = await here.route()
  const id = await here.due(channelId)
  await changeDeliveries(here.world, {}, { status: 'delivered' })
  const requestId = randomUUID()
  const answers = await Promise.all([replay(id, requestId), replay(id, requestId), replay(id, requestId)])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  const others = await Promise.all([replay(id), replay(id)])
  expect(new Set([...answers, ...others].map(({ body }) => body.id)).size).toBe(3)
  await updateChannel(here.acme, channelId, { enabled: false })
  expect((await replay(id)).body.error.code).toBe('channel_disabled')
})

test('a digest can be replayed again and again, and only the newest can be retried', async () => {
  const { channelId } = await here.route()
  const alertId = stored('feed', (await here.acme.makeOne('feed'))!)
  const name = `${toId('feed', alertId)}:2026-11-22`
  await here.digest(channelId, { alertId, period: '2026-11-22', data: { counts: { matched: 3 } } })
  const first = (await replay(name)).body.id
  await empty(here.world, 'delivery_queue')
  await changeDeliveries(here.world, {}, { status: 'failed' })
  const second = (await replay(first)).body.id
  await changeDeliveries(here.world, {}, { status: 'failed' })
  const retry = async (id: string) =>
    (await here.acme.api('POST', `/v1/deliveries/${id}/retry`, { requestId: randomUUID() })).body.error?.code
  expect([await retry(name), await retry(first)]).toEqual(['digest_has_replay', 'digest_has_replay'])
  await empty(here.world, 'delivery_queue')
  expect(await retry(second)).toBeUndefined()
  const rows = await here.world.db.query(sql`select data from delivery where kind = 'digest'`)
  expect(rows).toEqual(Array(3).fill({ data: { counts: { matched: 3 } } }))
})
