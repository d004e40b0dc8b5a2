import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mention, score } from '../../../test/mentions.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { type Direction, maintainBlocks } from '../../store/filter/mention-blocks.ts'
import { anyFilter, anyTimes, MENTIONS, type Times, useMentionsInBlocks } from './mentions-in-blocks.suite.ts'
import { EVERY_MENTION, resolveSearch } from './search.ts'
import { selectFound, selectNewest } from './select-newest.ts'

const { world, acme, keywords, ids } = useMentionsInBlocks()

async function bothWays(
  filter: MentionFilter,
  {
    behind = null,
    direction = 'newest',
    ...times
  }: Partial<Times> & { behind?: Uuid | null; direction?: Direction } = {},
) {
  const search = await resolveSearch(
    { db: world.db, workspaceId: acme.workspaceId },
    { ...EVERY_MENTION, filters: [filter], ...times },
  )
  if ('code' in search) throw new Error('the search was refused')
  const at = world.clock.now()
  const columns = sql`m.id`
  const statement = selectNewest(columns, {
    workspaceId: acme.workspaceId,
    search,
    at,
    behind: behind && { id: behind, included: false },
    direction,
    limit: 40,
  })
  const newest = direction === 'newest'
  const further = behind === null ? sql`true` : newest ? sql`m.id < ${behind}` : sql`m.id > ${behind}`
  const plain = sql`${selectFound(columns, acme.workspaceId, search, at)} and ${further}
      order by m.id ${newest ? sql`desc` : sql`asc`} limit 40`
  return {
    found: (await world.db.query(statement)) as { id: Uuid }[],
    wanted: (await world.db.query(plain)) as { id: Uuid }[],
  }
}

test('a list that passes over blocks is, in the same order, the one that looks at every mention', async () => {
  expect(await world.db.query(sql`select from mention_block`)).toHaveLength(4)
  const rest = fc.record({
    behind: fc.option(fc.nat(MENTIONS - 1)),
    direction: fc.constantFrom<Direction>('newest', 'oldest'),
  })
  let some = 0
  await fc.assert(
    fc.asyncProperty(anyFilter(), anyTimes(), rest, async (asked, times, { behind, direction }) => {
      const { found, wanted } = await bothWays(asked, {
        ...times,
        direction,
        behind: behind === null ? null : ids()[behind]!,
      })
      expect(found).toEqual(wanted)
      if (wanted.length > 0) some += 1
    }),
    { numRuns: 300 },
  )
  expect(some).toBeGreaterThan(20)
}, 120_000)

test('what a team or a later score gives an old mention is found at once, and once more after the block was summed up anew', async () => {
  const language = 'sw'
  expect((await bothWays({ languages: [language] })).found).toEqual([])
  const old = ids()[10]!
  await world.db.query(sql`insert into post (id, platform, native_id, url, body, links, published_at, collected_at)
    select post_id, 0, 'late', 'https://posts.example/late', 'late', '{}', now(), now() from mention
      where workspace_id = ${acme.workspaceId} and id = ${old}`)
  await world.db.query(
    sql`update mention set scored_at = null, relevance = null, sentiment = null, intents = null, language = null
        where workspace_id = ${acme.workspaceId} and id = ${old}`,
  )
  await score(world, [{ workspaceId: acme.workspaceId, mentionId: old } as Parameters<typeof score>[1][number]], {
    language,
    relevance: 100,
  })
  expect((await bothWays({ languages: [language] })).found).toEqual([{ id: old }])
  expect(await maintainBlocks(world.db, world.clock.now())).toBe(1)
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(0)
  expect((await bothWays({ languages: [language] })).found).toEqual([{ id: old }])
})

test('a mark of the team on an old mention makes its block stale, and a change of a young one touches none', async () => {
  const young = await mention(world, keywords()[0]!)
  await score(world, [young], { relevance: 90 })
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(0)
  const old = ids()[300]!
  await world.db.query(sql`insert into post (id, platform, native_id, url, body, links, published_at, collected_at)
    select post_id, 0, 'marked', 'https://posts.example/marked', 'marked', '{}', now(), now() from mention
      where workspace_id = ${acme.workspaceId} and id = ${old}`)
  expect((await acme.api('PATCH', `/v1/mentions/${toId('mtn', old)}`, { relevant: true })).status).toBe(200)
  expect(
    await world.db.query(sql`select from mention_block where stale and after_id < ${old} and last_id >= ${old}`),
  ).toHaveLength(1)
  expect((await bothWays({ minRelevance: 100 })).found.map(({ id }) => id)).toContain(old)
})

test('only mentions of more than an hour are summed up, and making blocks twice makes nothing', async () => {
  const [last] = await world.db.query<{ last_id: Uuid }>(
    sql`select last_id from mention_block where workspace_id = ${acme.workspaceId} order by last_id desc limit 1`,
  )
  expect(last!.last_id < firstUuidAt(plus(world.clock.now(), -HOUR_MS))).toBe(true)
  await maintainBlocks(world.db, world.clock.now())
  expect(await maintainBlocks(world.db, world.clock.now())).toBe(0)
})
