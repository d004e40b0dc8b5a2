import { beforeAll, expect, test } from 'vitest'
import { makeDelivery } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { cursorText } from '../../queries/cursor.ts'
import { sql } from '../../store/database.ts'

let channelId: string
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  channelId = await channel()
})

async function channel(): Promise<string> {
  return (await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })).body.id
}

async function deliver(
  to: string,
  more: { status?: string; alertId?: Uuid; mentionId?: Uuid; sentAt?: Date; error?: string } = {},
): Promise<string> {
  const kind = more.mentionId ? 'mention' : 'event'
  const made = { kind, event: 'mention.matched', attempts: 1, at: world.clock.now(), ...more } as const
  return toId('dlv', await makeDelivery(acme, acme.workspaceId, stored('dest', to), made))
}

const list = (query = '', id = channelId) =>
  acme.api('GET', `/v1/channels/${id}/deliveries${query}`, undefined, { key: acme.readKey })
const idsOf = (body: { data: { id: string }[] }) => body.data.map((delivery) => delivery.id)

test('an entry names rule and mention in short', async () => {
  const rule = (await acme.api('POST', '/v1/alerts', { name: 'My rule' })).body
  const mention = (await acme.makeOne('mtn'))!
  await acme.db.query(
    sql`update post set body = ${'🦊'.repeat(200)} where id = (select post_id from mention
        where id = ${stored('mtn', mention)})`,
  )
  const sentAt = world.clock.now()
  const own = await channel()
  const id = await deliver(own, {
    status: 'delivered',
    alertId: stored('feed', rule.id),
    mentionId: stored('mtn', mention),
    sentAt,
  })
  const { status, body } = await list('', own)
  expect(status).toBe(200)
  expect(body).toEqual({
    data: [
      {
        id,
        channelId: own,
        kind: 'mention',
        event: 'mention.matched',
        status: 'delivered',
        attempts: 1,
        error: null,
        sentAt: sentAt.toISOString(),
        createdAt: sentAt.toISOString(),
        alert: { name: 'My rule' },
        alerts: [{ name: 'My rule' }],
        mention: { id: mention, url: expect.stringMatching(/^https:/), text: `${'🦊'.repeat(159)}…` },
      },
    ],
    nextCursor: null,
  })
})

test('what was removed since is null', async () => {
  const own = await channel()
  const gone = newUuid(world.clock.now())
  await deliver(own, { status: 'failed', alertId: gone, mentionId: gone, error: 'status 500' })
  expect((await list('', own)).body.data).toMatchObject([
    { status: 'failed', error: 'status 500', sentAt: null, alert: null, mention: null },
  ])
})

test('the log is read page by page, newest first, each entry once, and new ones do not shift it', async () => {
  const own = await channel()
  const made: string[] = []
  for (let count = 0; count < 7; count += 1) made.unshift(await deliver(own))
  await deliver(channelId)
  const seen: string[] = []
  let query = '?limit=3'
  for (let page = 0; page < 3; page += 1) {
    const { body } = await list(query, own)
    seen.push(...idsOf(body))
    await deliver(own)
    query = `?limit=3&cursor=${body.nextCursor}`
    if (page === 2) expect(body.nextCursor).toBeNull()
  }
  expect(seen).toEqual(made)
})

test('a log can be narrowed to states', async () => {
  const own = await channel()
  const [failed, , held] = [
    await deliver(own, { status: 'failed' }),
    await deliver(own, { status: 'delivered' }),
    await deliver(own, { status: 'held' }),
  ]
  expect(idsOf((await list('?status=failed', own)).body)).toEqual([failed])
  expect(idsOf((await list('?status=held,failed', own)).body)).toEqual([held, failed])
})

test('who follows a log reads it from a time on, oldest first, and a cursor of the one order is no good for the other', async () => {
  const own = await channel()
  await deliver(own)
  await world.clock.advance(1000)
  const since = world.clock.now()
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.push(await deliver(own))
  const first = (await list(`?sort=oldest&since=${since.toISOString()}&limit=3`, own)).body
  const second = (await list(`?sort=oldest&since=${since.getTime()}&limit=3&cursor=${first.nextCursor}`, own)).body
  expect([...idsOf(first), ...idsOf(second)]).toEqual(made)
  expect(second.nextCursor).toBeNull()
  expect(idsOf((await list(`?since=${since.toISOString()}`, own)).body)).toEqual(made.toReversed())
  const { status, body } = await list(`?cursor=${first.nextCursor}`, own)
  expect([status, body.error.code]).toEqual([400, 'invalid_cursor'])
})

test('a cursor that was made up, or for another list, is refused, and one whose entry is gone is not found', async () => {
  const id = newUuid(world.clock.now())
  for (const cursor of ['', 'nonsense', 'x'.repeat(2000), cursorText('newest', id)]) {
    const { status, body } = await list(`?cursor=${cursor}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_cursor'])
  }
  const { status, body } = await list(`?cursor=${cursorText('deliveries', id)}`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('the log of another workspace is not found', async () => {
  const other = await world.workspace('Other')
  const { status, body } = await other.api('GET', `/v1/channels/${channelId}/deliveries`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test.each([
  ['?status=lost', 'status: must be one of pending, held, delivered, failed, cancelled'],
  ['?limit=0', 'limit: must be at least 1'],
  ['?limit=101', 'limit: must be at most 100'],
  ['?page=2', 'page: is not a parameter of this operation'],
])('%s is refused by naming the parameter', async (query, message) => {
  const { status, body } = await list(query)
  expect([status, body.error.code, body.error.message]).toEqual([400, 'validation_error', message])
})
