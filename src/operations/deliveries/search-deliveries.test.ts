import { beforeAll, expect, test } from 'vitest'
import { changeDeliveries, type DeliveryOptions, makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newId, newUuid, toId } from '../../kernel/ids.ts'
import { cursorText } from '../../queries/cursor.ts'
import { sql } from '../../store/database.ts'

let firstChannel: string
let secondChannel: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  firstChannel = await channel()
  secondChannel = await channel()
})

async function channel(workspace = acme): Promise<string> {
  return (await workspace.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
}

async function rule(name: string): Promise<string> {
  return (await acme.api('POST', '/v1/alerts', { name })).body.id
}

async function deliver(to: string, more: Partial<DeliveryOptions> = {}, workspace = acme): Promise<string> {
  const kind = more.mentionId ? 'mention' : 'event'
  const made = { kind, at: world.clock.now(), ...more } as const
  return toId('dlv', await makeDelivery(workspace, workspace.workspaceId, stored('dest', to), made))
}

/** A time after every delivery so far, so that tests see only their own. */
async function from(): Promise<string> {
  await world.clock.advance(1000)
  return `since=${world.clock.now().toISOString()}`
}

const search = (query: string, workspace = acme) =>
  workspace.api('GET', `/v1/deliveries?${query}`, undefined, { key: workspace.readKey })
const found = async (query: string) =>
  (await search(query)).body.data.map((delivery: { id: string }) => delivery.id) as string[]

test('the log of the workspace is newest first, page by page, and new deliveries do not shift it', async () => {
  const since = await from()
  const made: string[] = []
  for (let count = 0; count < 7; count += 1) made.unshift(await deliver(count % 2 === 0 ? firstChannel : secondChannel))
  const seen: string[] = []
  let query = `${since}&limit=3`
  for (let page = 0; page < 3; page += 1) {
    const { body } = await search(query)
    seen.push(...body.data.map((delivery: { id: string }) => delivery.id))
    await deliver(firstChannel)
    query = `${since}&limit=3&cursor=${body.nextCursor}`
    if (page === 2) expect(body.nextCursor).toBeNull()
  }
  expect(seen).toEqual(made)
  expect((await search(since)).body.data.at(-1)).toMatchObject({ id: made.at(-1), channelId: firstChannel })
})

test('a channel, a kind and a time select, alone and together', async () => {
  const since = await from()
  const mentionId = newUuid(world.clock.now())
  const event = await deliver(firstChannel)
  const mention = await deliver(firstChannel, { mentionId })
  const elsewhere = await deliver(secondChannel, { mentionId })
  const until = (await from()).replace('since', 'until')
  const later = await deliver(firstChannel)
  expect(await found(since)).toEqual([later, elsewhere, mention, event])
  expect(await found(`${since}&${until}`)).toEqual([elsewhere, mention, event])
  expect(await found(`${since}&channelId=${firstChannel}`)).toEqual([later, mention, event])
  expect(await found(`${since}&kind=mention`)).toEqual([elsewhere, mention])
  expect(await found(`${since}&kind=event,digest`)).toEqual([later, event])
  expect(await found(`${since}&kind=digest`)).toEqual([])
  expect(await found(`${since}&${until}&kind=mention&channelId=${secondChannel}`)).toEqual([elsewhere])
})

test('statuses select, also after a delivery has changed its status twice', async () => {
  const since = await from()
  const delivered = await deliver(firstChannel, { status: 'delivered' })
  const failed = await deliver(secondChannel, { status: 'failed' })
  const pending = await deliver(firstChannel, { queued: true })
  const held = await deliver(firstChannel, { status: 'held' })
  await world.db.query(
    sql`insert into delivery_held (workspace_id, channel_id, delivery_id)
        values (${acme.workspaceId}, ${stored('dest', firstChannel)}, ${stored('dlv', held)})`,
  )
  const changed = await deliver(firstChannel, { queued: true })
  for (const status of ['failed', 'pending', 'failed', 'cancelled'] as const)
    await changeDeliveries(world, { id: stored('dlv', changed) }, { status })
  expect(await found(`${since}&status=failed`)).toEqual([failed])
  expect(await found(`${since}&status=cancelled`)).toEqual([changed])
  expect(await found(`${since}&status=cancelled,failed`)).toEqual([changed, failed])
  expect(await found(`${since}&status=pending`)).toEqual([pending])
  expect(await found(`${since}&status=held,failed,pending`)).toEqual([held, pending, failed])
  expect(await found(`${since}&status=delivered,failed`)).toEqual([failed, delivered])
  expect(await found(`${since}&status=failed&channelId=${firstChannel}`)).toEqual([])
})

test('a rule finds what it caused alone and with others', async () => {
  const since = await from()
  const [rainy, sunny] = [await rule('Rainy'), await rule('Sunny')]
  const mentionId = newUuid(world.clock.now())
  const alone = await deliver(firstChannel, { mentionId, alertId: stored('feed', rainy), status: 'failed' })
  const shared = await deliver(secondChannel, { mentionId, alertId: stored('feed', sunny) })
  await world.db.query(
    sql`update delivery set more_alerts = array[${stored('feed', rainy)}]::uuid[] where id = ${stored('dlv', shared)}`,
  )
  await world.db.query(
    sql`insert into delivery_by_more_alerts (workspace_id, alert_id, delivery_id)
        values (${acme.workspaceId}, ${stored('feed', rainy)}, ${stored('dlv', shared)})`,
  )
  expect(await found(`alertId=${rainy}`)).toEqual([shared, alone])
  expect(await found(`alertId=${sunny}&${since}`)).toEqual([shared])
  expect(await found(`alertId=${rainy}&status=failed`)).toEqual([alone])
  const { body } = await search(`alertId=${rainy}&limit=1`)
  expect(await found(`alertId=${rainy}&limit=1&cursor=${body.nextCursor}`)).toEqual([alone])
})

test('a mention finds what became of it in every channel', async () => {
  const mention = (await acme.makeOne('mtn'))!
  const mentionId = stored('mtn', mention)
  const made = [
    await deliver(firstChannel, { mentionId, status: 'failed' }),
    await deliver(secondChannel, { mentionId, status: 'delivered' }),
  ]
  await deliver(firstChannel, { mentionId: newUuid(world.clock.now()) })
  expect(await found(`mentionId=${mention}`)).toEqual(made.toReversed())
  expect(await found(`mentionId=${mention}&status=failed`)).toEqual([made[0]])
  expect((await search(`mentionId=${mention}`)).body.data[0].mention.id).toBe(mention)
})

test('the deliveries of a deleted channel are gone, and those of another workspace are never shown', async () => {
  const since = await from()
  const gone = await channel()
  await deliver(gone)
  const other = await world.workspace('Other')
  const [mine, foreign] = [await deliver(firstChannel), await deliver(await channel(other), {}, other)]
  expect((await acme.api('DELETE', `/v1/channels/${gone}`)).status).toBe(204)
  expect(await found(since)).toEqual([mine])
  expect((await search(since, other)).body.data).toMatchObject([{ id: foreign }])
  const { body } = await search(`cursor=${cursorText('workspace-deliveries', stored('dlv', foreign))}`)
  expect(body.error.code).toBe('not_found')
})

test('a mention, rule or channel of another workspace, or of none, is not found', async () => {
  const other = await world.workspace('Other')
  const [mention, foreignRule, foreignChannel] = [
    (await other.makeOne('mtn'))!,
    (await other.makeOne('feed'))!,
    await channel(other),
  ]
  const at = world.clock.now()
  for (const query of [
    `mentionId=${mention}`,
    `alertId=${foreignRule}`,
    `channelId=${foreignChannel}`,
    `mentionId=${newId('mtn', at)}`,
    `alertId=${newId('feed', at)}`,
    `channelId=${newId('dest', at)}`,
  ]) {
    const { status, body } = await search(query)
    expect([status, body.error.code], query).toEqual([404, 'not_found'])
  }
})

test.each([
  ['cursor=nonsense', 'invalid_cursor', 'The cursor cannot be read or belongs to another sort'],
  ['status=lost', 'validation_error', 'status: must be one of pending, held, delivered, failed, cancelled'],
  ['kind=letter', 'validation_error', 'kind: must be one of mention, digest, event'],
  ['mentionId=mtn_1', 'validation_error', 'mentionId: must be an id that starts with mtn_'],
  ['channelId=feed_1', 'validation_error', 'channelId: must be an id that starts with dest_'],
  ['limit=101', 'validation_error', 'limit: must be at most 100'],
  ['since=2026-01-02&until=2026-01-02', 'validation_error', 'until: must be after since'],
])('%s is refused by naming the parameter', async (query, code, message) => {
  const { status, body } = await search(query)
  expect([status, body.error.code, body.error.message]).toEqual([400, code, message])
})
