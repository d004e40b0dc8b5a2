import { expect, test } from 'vitest'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { sql } from '../../store/database.ts'
import { writes } from '../people/authors.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

const create = (body: object, workspace = acme) => workspace.api('POST', '/v1/segments', body)

test('a new segment is answered whole, with the people who are in it', async () => {
  await writes(world, acme, 'ada', { mentions: 2 })
  const filter = {
    q: 'ad',
    platforms: ['bluesky'],
    notPlatforms: ['x'],
    notTags: ['spam'],
    muted: false,
    minMentions: 2,
    minNegative: 0,
    intents: ['question'],
    keywordKinds: ['brand'],
    since: '2020-01-01T00:00:00.000Z',
  }
  const { status, body } = await create({ name: '  Loud \n ones ', description: 'Who write much.', filter })
  expect(status).toBe(201)
  const at = world.clock.now().toISOString()
  const id = expect.stringMatching(/^seg_[0-9a-z]{26}$/)
  expect(body).toEqual({
    id,
    name: 'Loud ones',
    description: 'Who write much.',
    filter,
    count: 1,
    version: 1,
    createdAt: at,
    updatedAt: at,
  })
})

test('without a filter it holds everybody', async () => {
  expect((await create({ name: 'All' })).body).toMatchObject({ filter: {}, description: '', count: 1 })
})

test.each(['taken', ' TAKEN ', 'ｔａｋｅｎ'])(
  'the name %j of an existing segment is refused, and free in other workspaces',
  async (name) => {
    await create({ name: 'Taken' })
    const { status, body } = await create({ name })
    expect([status, body.error.code]).toEqual([409, 'duplicate_segment'])
    expect((await create({ name }, await world.workspace('Other'))).status).toBe(201)
  },
)

test.each([
  [{}, 'name: is required'],
  [{ name: 'x', filter: { status: 'open' } }, 'filter.status: is not a field of this operation'],
  [
    { name: 'x', filter: { segmentId: 'seg_01kg3w5z0yf8hbt2m7q4n9xc6d' } },
    'filter.segmentId: is not a field of this operation',
  ],
  [{ name: 'x', filter: { minMentions: '2' } }, 'filter.minMentions: must be a number'],
  [{ name: 'x', filter: { tags: [] } }, 'filter.tags: must not be empty'],
])('%j is refused by naming the field', async (body, message) => {
  const answer = await create(body)
  expect([answer.status, answer.body.error.message]).toEqual([400, message])
})

test('a workspace has at most a hundred', async () => {
  const workspace = await world.workspace('Many')
  for (let at = 0; at < 100; at += 1) expect((await create({ name: `Segment ${at}` }, workspace)).status).toBe(201)
  const { status, body } = await create({ name: 'One more' }, workspace)
  expect([status, body.error.code]).toEqual([409, 'conflict'])
})

test('several at once do not get past the limit', async () => {
  const workspace = await world.workspace('Nearly')
  await world.admin(`insert into segment (workspace_id, id, name, name_folded, filter, created_at, updated_at)
    select '${workspace.workspaceId}', gen_random_uuid(), n::text, n::text, '{}', now(), now() from generate_series(1, 99) n`)
  // All that have counted wait here for the row to which what they store refers.
  const creating = await world.db.transaction(async (tx) => {
    await tx.query(sql`select from workspace where id = ${workspace.workspaceId} for update`)
    const begun = [1, 2].map((n) => create({ name: `At once ${n}` }, workspace))
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
