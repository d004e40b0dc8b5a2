import { beforeEach, describe, expect, test } from 'vitest'
import { makeKeyword, mention, recount, score, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { changeDeliveries, makeAuthor } from '../../../test/rows.ts'
import { useWorld } from '../../../test/use-world.ts'
import { stored, type TestWorkspace } from '../../../test/world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { newId, toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let acme: TestWorkspace
let keyword: TestKeyword
let ada: Person
let made = 0
const world = useWorld()
beforeEach(async () => {
  made += 1
  acme = await world.workspace(`Workspace ${made}`)
  keyword = await makeKeyword(acme)
  ada = await createPerson(acme, acme.workspaceId, 'member')
})

const pathOf = ({ mentionId }: Pick<NewMention, 'mentionId'>) => `/v1/mentions/${toId('mtn', mentionId)}`
const patch = (mention: NewMention, body: object, options = {}) => acme.api('PATCH', pathOf(mention), body, options)
const read = async (mention: NewMention) => (await acme.api('GET', pathOf(mention))).body

async function scored(relevance = 20): Promise<NewMention> {
  const item = await mention(world, keyword)
  await score(world, [item], { relevance, sentiment: 'negative' })
  return item
}

test('what is named is changed, the rest stays, null clears, and reading shows the same', async () => {
  const mention = await scored()
  const before = await read(mention)
  const snoozedUntil = plus(world.clock.now(), HOUR_MS).toISOString()
  const set = await patch(mention, {
    assigneeId: toId('user', ada.userId),
    snoozedUntil,
    note: ' Call them.\n\nSoon. ',
  })
  expect(set.status).toBe(200)
  const assignee = { id: toId('user', ada.userId), name: 'Person who is member', email: ada.email }
  expect(set.body).toEqual({ ...before, triage: { assignee, snoozedUntil, note: 'Call them.\n\nSoon.' } })
  expect(await read(mention)).toEqual(set.body)
  expect((await patch(mention, { note: null })).body.triage).toEqual({ assignee, snoozedUntil, note: null })
  expect((await patch(mention, {})).body.triage).toEqual({ assignee, snoozedUntil, note: null })
  expect((await patch(mention, { assigneeId: null, snoozedUntil: null })).body).toEqual(before)
})

test('any status follows any other', async () => {
  const mention = await scored()
  for (const status of ['done', 'ignored', 'open', 'ignored', 'done', 'open'])
    expect((await patch(mention, { status })).body.status).toBe(status)
})

test('a snooze ends when it is over, and with its status, but not with the same status again', async () => {
  const mention = await scored()
  const until = plus(world.clock.now(), HOUR_MS)
  await patch(mention, { snoozedUntil: until.getTime() })
  expect((await patch(mention, { status: 'open' })).body.triage.snoozedUntil).toBe(until.toISOString())
  expect((await patch(mention, { status: 'done' })).body.triage.snoozedUntil).toBeNull()
  expect((await patch(mention, { status: 'open', snoozedUntil: until.getTime() })).body.triage.snoozedUntil).toBe(
    until.toISOString(),
  )
  await world.clock.advance(HOUR_MS)
  expect((await read(mention)).triage.snoozedUntil).toBeNull()
})

describe('a verdict of the team', () => {
  test('counts instead of the score, keeps what the scorer said, and null restores it', async () => {
    const mention = await scored(20)
    const before = await read(mention)
    const first = (await patch(mention, { relevant: true })).body
    expect([first.relevant, first.classification.relevance, first.classification.sentiment]).toEqual([
      true,
      100,
      'negative',
    ])
    const at = world.clock.now().toISOString()
    const original = { relevance: 20, sentiment: 'negative' }
    expect(first.classification.feedback).toEqual({ relevant: true, sentiment: null, at, original })
    await world.clock.advance(MINUTE_MS)
    expect((await patch(mention, { relevant: true })).body.classification.feedback.at).toBe(at)
    const second = (await patch(mention, { relevant: false, sentiment: 'positive' })).body
    expect([second.relevant, second.classification.relevance, second.classification.sentiment]).toEqual([
      false,
      0,
      'positive',
    ])
    expect(second.classification.feedback).toEqual({
      relevant: false,
      sentiment: 'positive',
      at: world.clock.now().toISOString(),
      original,
    })
    const third = (await patch(mention, { relevant: null })).body
    expect([
      third.classification.relevance,
      third.classification.sentiment,
      third.classification.feedback.original,
    ]).toEqual([20, 'positive', original])
    const restored = (await patch(mention, { sentiment: null })).body
    expect({ ...restored, priority: 0 }).toEqual({ ...before, priority: 0 })
    expect(restored.classification.feedback).toBeNull()
  })

  test('is counted with the keyword, in its statistics of noise too, and never charged', async () => {
    const [noise, good] = [await scored(10), await scored(90)]
    const stats = async () => (await acme.api('GET', `/v1/keywords/${keyword.shown.id}`)).body.stats
    const units = () =>
      world.db.query(
        sql`select sum(mention_units)::int as units, sum(billable)::int as billable from usage_day
            where workspace_id = ${acme.workspaceId}`,
      )
    const charged = await units()
    await patch(noise, { relevant: true })
    await patch(good, { relevant: true })
    expect(await stats()).toMatchObject({
      relevant: 2,
      feedback: { relevant: 2, notRelevant: 0 },
      noise: { scored: 2, relevant: 2 },
    })
    await patch(good, { relevant: false })
    await patch(good, { relevant: false })
    expect(await stats()).toMatchObject({
      relevant: 1,
      feedback: { relevant: 1, notRelevant: 1 },
      noise: { scored: 2, relevant: 1 },
    })
    await patch(noise, { relevant: null })
    await patch(good, { relevant: null })
    expect(await stats()).toMatchObject({
      relevant: 1,
      feedback: { relevant: 0, notRelevant: 0 },
      noise: { scored: 2, relevant: 1 },
    })
    const { counters, days } = await recount(world, acme.workspaceId)
    expect([counters.kept, days.kept]).toEqual([counters.counted, days.counted])
    expect(await units()).toEqual(charged)
  })

  test('waits for a score, which everything else does not', async () => {
    const item = await mention(world, keyword)
    for (const body of [
      { relevant: true },
      { relevant: false },
      { sentiment: 'neutral' },
      { relevant: true, status: 'done', note: 'x' },
    ]) {
      const { status, body: answer } = await patch(item, body)
      expect([status, answer.error.code]).toEqual([409, 'classification_pending'])
    }
    expect(await read(item)).toMatchObject({ status: 'open', triage: { note: null }, classification: null })
    const { status, body } = await patch(item, { status: 'done', note: 'Known.', relevant: null, sentiment: null })
    expect([status, body.status, body.triage.note, body.classification]).toEqual([200, 'done', 'Known.', null])
    await score(world, [item], { relevance: 90 })
    expect(await read(item)).toMatchObject({ status: 'done', relevant: true, triage: { note: 'Known.' } })
  })

  test('can be given where scoring failed', async () => {
    const item = await mention(world, keyword)
    await score(world, [item], null)
    const { body } = await patch(item, { relevant: true, sentiment: 'positive' })
    expect(body.classification).toMatchObject({
      relevance: 100,
      sentiment: 'positive',
      failed: true,
      feedback: { original: { relevance: null, sentiment: null } },
    })
    expect((await patch(item, { relevant: null, sentiment: null })).body.classification).toMatchObject({
      relevance: null,
      sentiment: null,
      failed: true,
      feedback: null,
    })
  })
})

describe('deliveries', () => {
  async function rule(): Promise<void> {
    const { body } = await acme.api('POST', '/v1/channels', { kind: 'webhook', url: 'https://hooks.example.com/' })
    await acme.api('POST', '/v1/alerts', {
      name: 'All',
      mode: 'instant',
      event: 'mention.matched',
      filter: {},
      channelIds: [body.id],
    })
  }
  const statuses = async (mention: NewMention) =>
    (
      await world.db.query<{ status: string }>(
        sql`select status from delivery where workspace_id = ${acme.workspaceId} and mention_id = ${mention.mentionId}`,
      )
    ).map((row) => row.status)
  const queued = () =>
    world.db.query(sql`select delivery_id from delivery_queue where workspace_id = ${acme.workspaceId}`)

  test.each(['ignored', 'done'])('of what is %s are cancelled, and of nothing else', async (status) => {
    await rule()
    const [closed, other] = [await scored(90), await scored(90)]
    await patch(closed, { status })
    expect([await statuses(closed), await statuses(other)]).toEqual([['cancelled'], ['pending']])
    expect(await queued()).toHaveLength(1)
    await patch(closed, { status: 'open' })
    expect(await statuses(closed)).toEqual(['cancelled'])
  })

  test('that were sent stay as they are', async () => {
    await rule()
    const sent = await scored(90)
    await changeDeliveries(world, { workspaceId: acme.workspaceId }, { status: 'delivered' })
    await patch(sent, { status: 'done' })
    expect(await statuses(sent)).toEqual(['delivered'])
  })

  test('go out for what is snoozed, assigned or marked as not relevant, and a mark makes none', async () => {
    await rule()
    const [mention, noise] = [await scored(90), await scored(10)]
    await patch(mention, {
      snoozedUntil: plus(world.clock.now(), HOUR_MS).toISOString(),
      assigneeId: toId('user', ada.userId),
      relevant: false,
    })
    await patch(noise, { relevant: true })
    expect([await statuses(mention), await statuses(noise)]).toEqual([['pending'], []])
  })

  test('of what is closed before its score are not made', async () => {
    await rule()
    const item = await mention(world, keyword)
    await patch(item, { status: 'ignored' })
    await score(world, [item], { relevance: 90 })
    expect(await statuses(item)).toEqual([])
  })
})

describe('an assignee', () => {
  test('has to belong to the workspace', async () => {
    const mention = await scored()
    const stranger = await createPerson(acme, (await world.workspace('Other')).workspaceId, 'owner')
    for (const id of [toId('user', stranger.userId), newId('user', world.clock.now())]) {
      const { status, body } = await patch(mention, { assigneeId: id, status: 'done' })
      expect([status, body.error.code]).toEqual([400, 'invalid_assignee'])
    }
    expect(await read(mention)).toMatchObject({ status: 'open', triage: { assignee: null } })
  })

  test('who leaves is taken off their mentions, and off no other', async () => {
    const [first, second] = [await scored(), await scored()]
    const bob = await createPerson(acme, acme.workspaceId, 'owner')
    await patch(first, { assigneeId: toId('user', ada.userId) })
    await patch(second, { assigneeId: toId('user', bob.userId) })
    const { body } = await acme.api('GET', '/v1/members')
    const member = body.data.find(({ userId }: { userId: string }) => userId === toId('user', ada.userId))
    expect((await acme.api('DELETE', `/v1/members/${member.id}`, undefined, { key: bob.token })).status).toBe(204)
    expect([(await read(first)).triage.assignee, (await read(second)).triage.assignee.id]).toEqual([
      null,
      toId('user', bob.userId),
    ])
    expect((await patch(first, { assigneeId: toId('user', ada.userId) })).body.error.code).toBe('invalid_assignee')
    const [last] = (await acme.api('GET', `${pathOf(first)}/changes`)).body.data
    expect(last).toMatchObject({
      by: { id: toId('user', bob.userId) },
      changes: [{ field: 'assignee', from: toId('user', ada.userId), to: null }],
    })
  })
})

test('what is not there is not found: foreign, made up, or gone with its keyword', async () => {
  const foreign = await mention(world, await makeKeyword(await world.workspace('Foreign')))
  const gone = await scored()
  await acme.api('DELETE', `/v1/keywords/${keyword.shown.id}`)
  for (const id of [toId('mtn', foreign.mentionId), newId('mtn', world.clock.now()), toId('mtn', gone.mentionId)]) {
    const { status, body } = await acme.api('PATCH', `/v1/mentions/${id}`, { status: 'done' })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  }
})

test("a muted person's mention can still be changed, and shows who they are", async () => {
  const mention = await scored()
  const { author } = await read(mention)
  expect(author).toMatchObject({ personId: expect.stringMatching(/^aut_/), tags: [] })
  const id = stored('aut', author.personId)
  await makeAuthor(world, acme.workspaceId, id, { tags: ['vip', 'Press'], muted: true })
  const { status, body } = await patch(mention, { status: 'done' })
  expect([status, body.status, body.author.personId, body.author.tags]).toEqual([
    200,
    'done',
    author.personId,
    ['vip', 'Press'],
  ])
})

test('a read credential changes nothing', async () => {
  const mention = await scored()
  const { status, body } = await patch(mention, { status: 'done' }, { key: acme.readKey })
  expect([status, body.error.code]).toEqual([403, 'read_only_key'])
})

test.each([
  [{ status: 'closed' }, 'status: must be one of open, ignored, done'],
  [{ status: null }, /^status: /],
  [{ snoozedUntil: '2026-01-01T00:00:00Z' }, 'snoozedUntil: must be in the future'],
  [
    { snoozedUntil: 'tomorrow' },
    'snoozedUntil: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
  ],
  [{ note: '' }, 'note: must not be empty'],
  [{ note: 'x'.repeat(2001) }, 'note: must have at most 2000 characters'],
  [{ relevant: 'true' }, /^relevant: /],
  [{ sentiment: 'angry' }, 'sentiment: must be one of positive, neutral, negative'],
  [{ assigneeId: 'user_1' }, 'assigneeId: must be an id that starts with user_'],
  [{ relevance: 100 }, 'relevance: is not a field of this operation'],
])('%j is refused by naming the field', async (change, message) => {
  const mention = await scored()
  const { status, body } = await patch(mention, change)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(body.error.message).toMatch(message)
  expect((await read(mention)).status).toBe('open')
})
