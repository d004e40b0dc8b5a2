import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeKeyword, makePost, matchedBy, mention, score, store, type TestKeyword } from '../../../test/mentions.ts'
import { createPerson } from '../../../test/people.ts'
import { changeMention, liftWelcomeLimits } from '../../../test/rows.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import type { NewMention } from '../../commands/mentions/ingest-posts.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

let keyword: TestKeyword
let keywordIds: string[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(() => liftWelcomeLimits(world))
// A keyword for each test, so that its mentions are told apart by the filter.
beforeEach(async () => {
  await world.clock.advance(MINUTE_MS)
  keyword = await makeKeyword(acme)
  keywordIds = [keyword.shown.id]
})

const idOf = ({ mentionId }: NewMention) => toId('mtn', mentionId)
const patch = (body: object, workspace = acme) => workspace.api('PATCH', '/v1/mentions', body)
const many = (count: number) =>
  store(
    world,
    Array.from({ length: count }, () => matchedBy(makePost(world), [keyword])),
  )

/** What triage has made of every mention of the keyword, by id. */
async function states() {
  return await world.db.query(sql`
    select id, status, assignee_id, snoozed_until, triage_note, feedback_relevant, feedback_sentiment, relevance
    from mention where keyword_id = ${keyword.uuid} order by id`)
}

test('every mention that matches is changed, no other is, and the undo restores the former values', async () => {
  const mentions = await many(6)
  await score(world, mentions)
  const [ignored, noted, snoozed, assigned] = mentions
  const { userId } = await createPerson(world.services, acme.workspaceId, 'member')
  await changeMention(world, ignored!.mentionId, { status: 'ignored' })
  await changeMention(world, noted!.mentionId, { triageNote: 'Kept.' })
  await changeMention(world, snoozed!.mentionId, { snoozedUntil: plus(world.clock.now(), DAY_MS) })
  await changeMention(world, assigned!.mentionId, { assigneeId: userId })
  const before = await states()
  const { status, body } = await patch({
    filter: { keywordIds, status: 'open' },
    expectedCount: 4,
    status: 'done',
    relevant: false,
    note: 'Seen.',
  })
  expect([status, body.updated, body.changed, body.skipped, body.skippedCount]).toEqual([200, 4, 4, [], 0])
  const after = (await states()) as { id: string; status: number }[]
  const changed = mentions.filter((found) => found !== ignored && found !== snoozed).map(({ mentionId }) => mentionId)
  expect(after.filter((row) => row.status === 2).map(({ id }) => id)).toEqual(changed.sort())
  expect(body.undo.map(({ ids, ...change }: { ids: string[] }) => [ids.length, change])).toEqual(
    expect.arrayContaining([
      [3, { status: 'open', note: null, relevant: null }],
      [1, { status: 'open', note: 'Kept.', relevant: null }],
    ]),
  )
  for (const request of body.undo) expect((await patch(request)).status).toBe(200)
  expect(await states()).toEqual(before)
})

test('hundreds are changed in batches, each with its history', async () => {
  await many(450)
  const { body } = await patch({ filter: { keywordIds }, expectedCount: 450, status: 'ignored' })
  expect(body).toMatchObject({ updated: 450, changed: 450, skipped: [], skippedCount: 0 })
  expect(body.undo.map(({ ids }: { ids: string[] }) => ids.length)).toEqual([200, 200, 50])
  expect(
    await world.db.query(sql`
      select count(*) as "changes" from mention_change c join mention m on m.workspace_id = c.workspace_id
        and m.id = c.mention_id where m.keyword_id = ${keyword.uuid}`),
  ).toEqual([{ changes: 450 }])
  expect((await patch({ filter: { keywordIds }, expectedCount: 450, status: 'ignored' })).body).toEqual({
    updated: 450,
    changed: 0,
    skipped: [],
    skippedCount: 0,
    undo: [],
  })
})

test('unscored mentions take no verdict and are named', async () => {
  const [scored, unscored] = await many(2)
  await score(world, [scored!])
  const { body } = await patch({ filter: { keywordIds }, expectedCount: 2, relevant: true })
  expect(body).toMatchObject({
    updated: 1,
    changed: 1,
    skipped: [{ id: idOf(unscored!), code: 'classification_pending' }],
    skippedCount: 1,
    undo: [{ ids: [idOf(scored!)], relevant: null }],
  })
})

test('another number of mentions than expected changes nothing, and the answer says both numbers', async () => {
  await many(12)
  const before = await states()
  for (const expectedCount of [10, 14]) {
    const { status, body } = await patch({ filter: { keywordIds }, expectedCount, status: 'done' })
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'stale_version',
      `The filter matches 12 mentions, and expectedCount is ${expectedCount}. Count the mentions again.`,
    ])
  }
  expect(await states()).toEqual(before)
  for (const review of [{ reviewApp: '1' }, { reviewCountry: 'us' }, { reviewVersion: '1' }]) {
    const { body } = await patch({ filter: { keywordIds, ...review }, expectedCount: 1, status: 'done' })
    expect(body.error?.message).toMatch(/^The filter matches 0 mentions/)
  }
  expect((await patch({ filter: { keywordIds }, expectedCount: 11, status: 'done' })).body.updated).toBe(12)
})

test('a mention that somebody changes before its batch is left as they want it', async () => {
  const [first, second] = await many(2)
  const { transaction } = world.db
  world.db.transaction = async (work) => {
    world.db.transaction = transaction
    const changed = await acme.api('PATCH', `/v1/mentions/${idOf(first!)}`, { status: 'done', note: 'Mine.' })
    expect(changed.status).toBe(200)
    return await transaction(work)
  }
  const { body } = await patch({ filter: { keywordIds, status: 'open' }, expectedCount: 2, status: 'ignored' })
  expect(body).toEqual({
    updated: 1,
    changed: 1,
    skipped: [],
    skippedCount: 0,
    undo: [{ ids: [idOf(second!)], status: 'open' }],
  })
  expect((await acme.api('GET', `/v1/mentions/${idOf(first!)}`)).body).toMatchObject({
    status: 'done',
    triage: { note: 'Mine.' },
  })
})

test('conditions beyond those of a view select too', async () => {
  const [first, second] = await many(2)
  const { userId } = await createPerson(world.services, acme.workspaceId, 'member')
  await changeMention(world, first!.mentionId, { assigneeId: userId })
  await changeMention(world, second!.mentionId, { snoozedUntil: plus(world.clock.now(), DAY_MS) })
  const view = (await acme.api('POST', '/v1/views', { name: `View ${keywordIds[0]}`, filter: { keywordIds } })).body
  const answers = [
    await patch({ filter: { viewId: view.id, assigneeId: toId('user', userId) }, expectedCount: 1, status: 'done' }),
    await patch({ filter: { keywordIds, snoozed: true }, expectedCount: 1, note: 'Later.' }),
  ]
  expect(answers.map(({ body }) => body.undo)).toEqual([
    [{ ids: [idOf(first!)], status: 'open' }],
    [{ ids: [idOf(second!)], note: null }],
  ])
})

test('mentions of another workspace do not match, and its keywords, rules and views are not found', async () => {
  const other = await world.workspace('Other')
  const foreign = await mention(world, await makeKeyword(other))
  await many(1)
  const { body } = await acme.api('GET', '/v1/mentions/count')
  expect((await patch({ filter: {}, expectedCount: body.total, status: 'done' })).body.updated).toBe(body.total)
  expect(await world.db.query(sql`select status from mention where id = ${foreign.mentionId}`)).toEqual([{ status: 0 }])
  for (const filter of [
    { keywordIds },
    { alertId: await acme.makeOne('feed') },
    { viewId: await acme.makeOne('vw') },
  ]) {
    const answer = await patch({ filter, expectedCount: 1, status: 'done' }, other)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
  }
})

test('an assignee who is no member changes none', async () => {
  await many(1)
  const { userId } = await createPerson(world.services, (await world.workspace('Other')).workspaceId, 'member')
  const { body } = await patch({ filter: { keywordIds }, expectedCount: 1, assigneeId: toId('user', userId) })
  expect(body.error.code).toBe('invalid_assignee')
})

test.each([
  [{ status: 'done' }, /^ids: /],
  [{ ids: ['mtn_01kg3w5z0yf8hbt2m7q4n9xc6d'], filter: {}, expectedCount: 1 }, /^(filter|ids): /],
  [{ filter: {} }, /^expectedCount: /],
  [{ filter: {}, expectedCount: 0 }, 'expectedCount: must be at least 1'],
  [{ filter: {}, expectedCount: 10_001 }, 'expectedCount: must be at most 10000'],
  [{ filter: { color: 'red' }, expectedCount: 1 }, /^filter\.color: /],
  [{ filter: { since: '2026-01-02', until: '2026-01-01' }, expectedCount: 1 }, 'filter.until: must be after since'],
])('%j is refused', async (body, message) => {
  const answer = await patch(body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error'])
  expect(answer.body.error.message).toMatch(message)
})
