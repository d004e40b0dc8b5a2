import { expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, score, store } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import { openMentions } from '../../store/delivery/due-deliveries.ts'
import { writes } from './authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const author = (name: string) => ({
  id: `did:plc:${name}`,
  name,
  handle: null,
  url: null,
  avatarUrl: null,
  followers: null,
  automated: null,
})
const patch = (id: string, body: object) => acme.api('PATCH', `/v1/people/${id}`, body)

test('fields that are sent change, others stay, null clears', async () => {
  const id = await writes(world, acme, 'ada')
  expect((await patch(id, { tags: ['VIP', 'vip', 'VIP'], notes: ' Two\nlines ' })).body.annotations).toEqual({
    tags: ['VIP', 'vip'],
    notes: 'Two\nlines',
    muted: false,
  })
  expect((await patch(id, { muted: true })).body.annotations).toEqual({
    tags: ['VIP', 'vip'],
    notes: 'Two\nlines',
    muted: true,
  })
  expect((await patch(id, { tags: null, notes: null })).body.annotations).toEqual({ tags: [], notes: '', muted: true })
  expect((await patch(id, {})).body).toEqual((await acme.api('GET', `/v1/people/${id}`)).body)
})

test.each([
  [{ tags: [''] }, 'tags.0: must not be empty'],
  [{ tags: ['x'.repeat(41)] }, 'tags.0: must have at most 40 characters'],
  [{ tags: Array.from({ length: 21 }, (_, at) => `${at}`) }, 'tags: must have at most 20 entries'],
  [{ notes: 'x'.repeat(4001) }, 'notes: must have at most 4000 characters'],
  [{ muted: 'true' }, 'muted: must be true or false'],
  [{ name: 'x' }, 'name: is not a field of this operation'],
])('%j is refused by naming the field', async (body, message) => {
  const id = await writes(world, acme, 'careful')
  const answer = await patch(id, body)
  expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([400, 'validation_error', message])
})

test('of somebody muted nothing is sent: what waits is cancelled, what comes makes no delivery, and what is in hand is stopped', async () => {
  const keyword = await makeKeyword(acme)
  const { body: channel } = await acme.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://receiver.example/hook',
  })
  const rule = { name: 'All', mode: 'instant', event: 'mention.matched', filter: {}, channelIds: [channel.id] }
  expect((await acme.api('POST', '/v1/alerts', rule)).status).toBe(201)
  const from = (name: string) => store(world, [matchedBy(makePost(world, { author: author(name) }), [keyword])])
  const quiet = await writes(world, acme, 'troll', { author: author('troll'), keyword })
  const first = await from('troll')
  expect(await score(world, first)).toHaveLength(1)
  const others = await score(world, await from('friend'))
  const wanted = first.map(({ workspaceId, mentionId }) => ({ workspaceId, mentionId }))
  expect((await openMentions(world.db, wanted)).size).toBe(1)

  await patch(quiet, { muted: true })
  expect((await openMentions(world.db, wanted)).size).toBe(0)
  const statuses = async () =>
    (
      await world.db.query<{ name: string; status: string }>(sql`
      select p.author ->> 'name' as name, d.status from delivery d join mention m on m.workspace_id = d.workspace_id
        and m.id = d.mention_id join post p on p.id = m.post_id
      where d.workspace_id = ${acme.workspaceId} order by name, d.id`)
    ).map(({ name, status }) => [name, status])
  expect(await statuses()).toEqual([
    ['friend', 'pending'],
    ['troll', 'cancelled'],
    ['troll', 'cancelled'],
  ])
  const [left] = await world.db.query<{ count: number }>(
    sql`select count(*) from delivery_queue where workspace_id = ${acme.workspaceId}`,
  )
  expect([left!.count, others.length]).toEqual([1, 1])
  expect(await score(world, await from('troll'))).toEqual([])

  await patch(quiet, { muted: false })
  expect(await score(world, await from('troll'))).toHaveLength(1)
})

test('a rule by tags finds the people who have them when their mention is scored', async () => {
  const workspace = await world.workspace('Rules')
  const keyword = await makeKeyword(workspace)
  const { body: channel } = await workspace.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://receiver.example/hook',
  })
  await workspace.api('POST', '/v1/alerts', {
    name: 'VIP',
    mode: 'instant',
    event: 'mention.matched',
    filter: { tags: ['VIP'] },
    channelIds: [channel.id],
  })
  const id = await writes(world, workspace, 'ada', { author: author('ada'), keyword })
  const from = (name: string) => store(world, [matchedBy(makePost(world, { author: author(name) }), [keyword])])
  expect(await score(world, await from('ada'))).toEqual([])
  await workspace.api('PATCH', `/v1/people/${id}`, { tags: ['VIP'] })
  expect(await score(world, await from('ada'))).toHaveLength(1)
  expect(await score(world, await from('bob'))).toEqual([])
})

const waiting = async () =>
  (
    await world.db.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

/**
 * A workspace with a rule that sends everything, somebody who is heard there, and a mention of theirs that has no score
 * yet.
 */
async function heard() {
  const workspace = await world.workspace('Heard')
  const { body: channel } = await workspace.api('POST', '/v1/channels', {
    kind: 'webhook',
    url: 'https://receiver.example/hook',
  })
  const rule = { name: 'All', mode: 'instant', event: 'mention.matched', filter: {}, channelIds: [channel.id] }
  expect((await workspace.api('POST', '/v1/alerts', rule)).status).toBe(201)
  const keyword = await makeKeyword(workspace)
  const id = await writes(world, workspace, 'loud', { author: author('loud'), keyword })
  await world.db.query(sql`delete from delivery where workspace_id = ${workspace.workspaceId}`)
  const made = await store(world, [matchedBy(makePost(world, { author: author('loud') }), [keyword])])
  const statuses = async () =>
    (
      await world.db.query<{ status: string }>(
        sql`select status from delivery where workspace_id = ${workspace.workspaceId}`,
      )
    ).map(({ status }) => status)
  return { one: workspace, made, mute: () => workspace.api('PATCH', `/v1/people/${id}`, { muted: true }), statuses }
}

test('who is muted while a score waits for its keyword is not sent', async () => {
  const { one, made, mute, statuses } = await heard()
  const scoring = await world.db.transaction(async (tx) => {
    // Others may share the counter meanwhile, but scoring may not have it.
    await tx.query(sql`select from keyword_counter where workspace_id = ${one.workspaceId} for key share`)
    const done = score(world, made)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    expect((await mute()).body.annotations.muted).toBe(true)
    return { done }
  })
  expect(await scoring.done).toEqual([])
  expect(await statuses()).toEqual([])
})

test('who is muted while deliveries of theirs are being written down is not sent: muting waits for them, and cancels them', async () => {
  const { one, made, mute, statuses } = await heard()
  const both = await world.db.transaction(async (tx) => {
    await tx.query(sql`select from alert where workspace_id = ${one.workspaceId} for update`)
    const scoring = score(world, made)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    const muting = mute()
    await Promise.race([muting, expect.poll(waiting, { timeout: 10_000 }).toBe(2)])
    return { scoring, muting }
  })
  expect(await both.scoring).toHaveLength(1)
  expect((await both.muting).status).toBe(200)
  expect(await statuses()).toEqual(['cancelled'])
})
