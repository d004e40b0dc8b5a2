import { beforeEach, expect, test } from 'vitest'
import { makeKeyword, type TestKeyword } from '../../../test/mentions.ts'
import { useFreshWorkspace, useWorld } from '../../../test/use-world.ts'
import { VIEW_LIMITS } from '../../domain/filter/view.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'

let keyword: TestKeyword
const world = useWorld()
beforeEach(() => world.clock.advance(MINUTE_MS))
const acme = useFreshWorkspace(world, 'Acme')
beforeEach(async () => {
  keyword = await makeKeyword(acme)
})

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/views', body)
const told = ({ status, body }: { status: number; body: { error: { code: string; message: string } } }) => [
  status,
  body.error.code,
  body.error.message,
]

test('a view is kept with every key, and is answered alike by all that show it', async () => {
  const filter = {
    q: 'slow',
    platforms: ['x'],
    relevant: true,
    notKeywordIds: [keyword.shown.id],
    anyOf: [{ minLikes: 3 }, { tags: ['VIP'] }],
  }
  const { status, body } = await create({ name: '  Slow  ', description: 'What is slow.', filter })
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^vw_/),
      name: 'Slow',
      description: 'What is slow.',
      filter,
      version: 1,
      feedUrl: expect.stringContaining(`/v1/views/${body.id}/feed.xml?token=efd_`),
      createdAt: world.clock.now().toISOString(),
      updatedAt: world.clock.now().toISOString(),
    },
  ])
  expect((await acme.api('GET', `/v1/views/${body.id}`)).body).toEqual(body)
  expect((await acme.api('GET', '/v1/views')).body).toEqual({ data: [body] })
})

test('a name exists once, whatever its letter case, also after a change', async () => {
  await create({ name: 'Complaints' })
  const { body } = await create({ name: 'Praise' })
  expect(told(await create({ name: 'COMPLAINTS' })).slice(0, 2)).toEqual([409, 'duplicate_view'])
  expect(told(await acme.api('PATCH', `/v1/views/${body.id}`, { name: 'complaintS' })).slice(0, 2)).toEqual([
    409,
    'duplicate_view',
  ])
  expect((await acme.api('PATCH', `/v1/views/${body.id}`, { name: 'PRAISE' })).body).toMatchObject({
    name: 'PRAISE',
    version: 2,
  })
})

test.each([
  [{}, /^name: /],
  [{ name: ' ' }, /^name: /],
  [{ name: 'x'.repeat(81) }, /^name: must have at most 80/],
  [{ name: 'One', filter: { nonsense: 1 } }, /^filter\.nonsense: is not a field/],
  [{ name: 'One', filter: { q: '' } }, /^filter\.q: /],
  [{ name: 'One', filter: { anyOf: [] } }, /^filter\.anyOf: /],
  [{ name: 'One', filter: { anyOf: [{ anyOf: [{ q: 'x' }] }] } }, /^filter\.anyOf\.0\.anyOf: /],
  [{ name: 'One', version: 3 }, /^version: is not a field/],
])('%j is refused by naming the field', async (body, message) => {
  expect(told(await create(body))).toEqual([400, 'validation_error', expect.stringMatching(message)])
})

test('what a filter names has to exist in the workspace', async () => {
  const foreign = await makeKeyword(await world.workspace('Other'))
  for (const filter of [
    { keywordIds: [foreign.shown.id] },
    { notKeywordIds: [foreign.shown.id] },
    { anyOf: [{ keywordIds: [foreign.shown.id] }] },
  ])
    expect(told(await create({ name: 'Foreign', filter })).slice(0, 2)).toEqual([404, 'not_found'])
})

test('a workspace has so many views and no more', async () => {
  await world.admin(`insert into saved_view (workspace_id, id, name, name_folded, filter, feed_version, created_at, updated_at)
    select '${acme.workspaceId}', gen_random_uuid(), n::text, n::text, '{}', 1, now(), now() from generate_series(1, ${VIEW_LIMITS.perWorkspace}) n`)
  expect(told(await create({ name: 'One more' })).slice(0, 2)).toEqual([409, 'conflict'])
})

test('several views at once do not get past the limit', async () => {
  const workspace = await world.workspace('Nearly')
  await world.admin(`insert into saved_view (workspace_id, id, name, name_folded, filter, feed_version, created_at, updated_at)
    select '${workspace.workspaceId}', gen_random_uuid(), n::text, n::text, '{}', 1, now(), now() from generate_series(2, ${VIEW_LIMITS.perWorkspace}) n`)
  // All that have counted wait here for the row to which what they store refers.
  const creating = await world.db.transaction(async (tx) => {
    await tx.query(sql`select from workspace where id = ${workspace.workspaceId} for update`)
    const begun = [1, 2].map((n) => workspace.api('POST', '/v1/views', { name: `At once ${n}`, filter: {} }))
    await expect
      .poll(
        () =>
          world.db.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        { timeout: 10_000 },
      )
      .toHaveLength(2)
    return { begun }
  })
  const answers = await Promise.all(creating.begun)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})
