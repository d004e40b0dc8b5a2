import { expect, test } from 'vitest'
import { makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

test('the statistics count what was accepted in seven days and remember the last time', async () => {
  const channelId = (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' }))
    .body.id
  const rule = (await acme.api('POST', '/v1/alerts', { name: 'Rule', channelIds: [channelId] })).body
  const quiet = (await acme.api('POST', '/v1/alerts', { name: 'Quiet', channelIds: [channelId] })).body
  const now = world.clock.now()
  const ofRule = { kind: 'mention', event: 'mention.matched', alertId: stored('feed', rule.id), at: now } as const
  const deliver = (status: string, sentAt: Date | null) =>
    makeDelivery(acme, acme.workspaceId, stored('dest', channelId), { ...ofRule, status, sentAt })
  await deliver('delivered', plus(now, -8 * DAY_MS))
  await deliver('delivered', plus(now, -6 * DAY_MS))
  await deliver('delivered', plus(now, -DAY_MS))
  await deliver('failed', null)
  await deliver('pending', null)
  const { status, body } = await acme.api('GET', `/v1/alerts/${rule.id}`, undefined, { key: acme.readKey })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...rule,
    stats: { sentLast7d: 2, lastSentAt: plus(now, -DAY_MS).toISOString(), nextRunAt: null },
  })
  expect((await acme.api('GET', `/v1/alerts/${quiet.id}`)).body).toEqual(quiet)
})

test('a rule of another workspace is not found', async () => {
  const other = await world.workspace('Other')
  const { id } = (await acme.api('POST', '/v1/alerts', { name: 'Rule' })).body
  const { status, body } = await other.api('GET', `/v1/alerts/${id}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})
