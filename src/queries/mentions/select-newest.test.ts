import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeKeyword, mention, score, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored } from '../../../test/world.ts'
import { FILTER_NAMES, type FilterGroup, type FilterName, type MentionFilter } from '../../domain/filter/fields.ts'
import { INTENTS, SENTIMENTS } from '../../domain/mention/classification.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { BLOCK_SIZE } from '../../store/filter/block-sets.ts'
import { facetHash } from '../../store/filter/facets.ts'
import { type Direction, maintainBlocks } from '../../store/filter/mention-blocks.ts'
import { EVERY_MENTION, type MentionSearch, resolveSearch } from './search.ts'
import { selectFound, selectNewest } from './select-newest.ts'

let keywords: TestKeyword[]
let ids: Uuid[]
const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const groupId = stored('grp', await acme.group('Rockets'))
  keywords = [
    await makeKeyword(acme),
    await makeKeyword(acme, { kind: 'competitor', groupId }),
    await makeKeyword(acme, { kind: 'topic' }),
  ]
  ids = await manyMentions()
  await maintainBlocks(world.db, world.clock.now())
})

const MENTIONS = 4 * BLOCK_SIZE + 60

/**
 * Mentions of a week, of which the last days are in no block. Most values come in waves, so that blocks differ in what
 * they hold.
 */
async function manyMentions(): Promise<Uuid[]> {
  const begin = plus(world.clock.now(), -7 * DAY_MS)
  const made = Array.from({ length: MENTIONS }, (_, number) => firstUuidAt(plus(begin, number * MINUTE_MS)))
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, rating,
      followers, likes, scored_at, relevance, sentiment, intents, automated, language,
      confidence, facets, delivered, failed, assignee_id)
    select ${acme.workspaceId}, id, (${keywords.map(({ uuid }) => uuid)}::uuid[])[1 + case when n % 300 = 7 then 1
      else n / 600 * 2 end], gen_random_uuid(), ${begin}, ${begin}::timestamptz + n * interval '1 minute',
      case when n % 500 = 3 then 11 else n / 400 end, n % 270 = 5, case when n % 333 = 1 then n % 5 + 1 end, case
        when n % 3 = 0 then null else n * 10 end, case when n % 260 = 9 then n end,
      now(), case when n % 7 <> 0 then n % 101 end, case when n % 7 <> 0 then n / 500 end, case
        when n % 7 <> 0 then 1 << (n / 90) end, n % 400 = 11,
      case when n % 7 <> 0 then (array['en', 'de', 'zh', null])[1 + n / 300] end, case when n % 7 <> 0 then (n % 100) /
        100.0 end, '{}', n / 300 = 2, n % 311 = 4, case when n % 3 = 1 then gen_random_uuid() end
    from unnest(${made}::uuid[]) with ordinality as t (id, ordinality), lateral (select (ordinality - 1)::int as n)
      numbered`)
  const linking = [facetHash(acme.workspaceId, 'host', 'linked.example'), facetHash(acme.workspaceId, 'word', 'seldom')]
  await world.db.query(
    sql`update mention set facets = ${linking}::bigint[] where workspace_id = ${acme.workspaceId}
        and id = any(${made.filter((_, n) => n % 170 === 13)}::uuid[])`,
  )
  return made
}

const list = <Value>(values: readonly Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 })
const conditions = () =>
  fc.record({
    keywordIds: list(keywords.map(({ uuid }) => uuid)),
    notKeywordIds: list(keywords.map(({ uuid }) => uuid)),
    groupIds: list(keywords.map(({ shown }) => stored('grp', shown.group.id))),
    keywordKinds: list(['brand', 'competitor', 'topic']),
    platforms: list(PLATFORMS),
    notPlatforms: list(PLATFORMS),
    relevant: fc.boolean(),
    minRelevance: fc.nat(100),
    maxRelevance: fc.nat(100),
    delivered: fc.boolean(),
    failed: fc.boolean(),
    unassigned: fc.boolean(),
    minConfidence: fc.double({ min: 0, max: 1, noNaN: true }),
    sentiments: list(SENTIMENTS),
    notSentiments: list(SENTIMENTS),
    intents: list(INTENTS),
    notIntents: list(INTENTS),
    automated: fc.boolean(),
    languages: list(['en', 'de', 'zh', 'sw']),
    notLanguages: list(['en', 'de']),
    minFollowers: fc.nat(12_000),
    maxFollowers: fc.nat(12_000),
    isReply: fc.boolean(),
    ratings: list([1, 2, 3, 4, 5]),
    minLikes: fc.nat(1200),
    minViews: fc.nat(3),
    linkHosts: list(['linked.example', 'other.example']),
    q: fc.constantFrom('seldom', 'never', 'seldom never'),
  })

/** Few conditions at once, or nothing would ever be found. */
const group = (): fc.Arbitrary<FilterGroup> =>
  fc
    .tuple(conditions(), fc.subarray(FILTER_NAMES, { minLength: 1, maxLength: 3 }))
    .map(([values, names]) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name as FilterName))),
    )
    .filter((made) => Object.keys(made).length > 0)

type Times = Pick<MentionSearch, 'since' | 'until' | 'createdSince' | 'createdUntil'>

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
  const filter = fc
    .tuple(group(), fc.option(fc.array(group(), { minLength: 1, maxLength: 3 })))
    .map(([own, anyOf]): MentionFilter => (anyOf ? { ...own, anyOf } : own))
  const days = fc.option(fc.nat(7), { freq: 2 })
  const direction = fc.constantFrom<Direction>('newest', 'oldest')
  const times = fc.record({
    since: days,
    until: days,
    createdSince: days,
    createdUntil: days,
    behind: fc.option(fc.nat(MENTIONS - 1)),
    direction,
  })
  let some = 0
  await fc.assert(
    fc.asyncProperty(filter, times, async (asked, { behind, direction, ...times }) => {
      const ago = (days: number | null) => (days === null ? null : plus(world.clock.now(), -days * DAY_MS))
      const instants = Object.fromEntries(Object.entries(times).map(([name, days]) => [name, ago(days)]))
      const { found, wanted } = await bothWays(asked, {
        ...instants,
        direction,
        behind: behind === null ? null : ids[behind]!,
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
  const old = ids[10]!
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
  const young = await mention(world, keywords[0]!)
  await score(world, [young], { relevance: 90 })
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(0)
  const old = ids[300]!
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
