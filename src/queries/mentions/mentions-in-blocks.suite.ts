import fc from 'fast-check'
import { beforeAll } from 'vitest'
import { makeKeyword, type TestKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { stored, type TestWorkspace, type World } from '../../../test/world.ts'
import { FILTER_NAMES, type FilterGroup, type FilterName, type MentionFilter } from '../../domain/filter/fields.ts'
import { INTENTS, SENTIMENTS } from '../../domain/mention/classification.ts'
import { PLATFORMS } from '../../domain/platform/platforms.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { BLOCK_SIZE } from '../../store/filter/block-sets.ts'
import { facetHash } from '../../store/filter/facets.ts'
import { maintainBlocks } from '../../store/filter/mention-blocks.ts'
import type { MentionSearch } from './search.ts'

let world: World
let acme: TestWorkspace
let keywords: TestKeyword[]
let ids: Uuid[]

/** Mentions in four blocks and in none, for searches that read the summaries of blocks. */
export function useMentionsInBlocks() {
  world = useWorld()
  acme = useWorkspace(world, 'Acme')
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
  return { world, acme, keywords: () => keywords, ids: () => ids }
}

export const MENTIONS = 4 * BLOCK_SIZE + 60

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

/** Filters of few conditions, with alternatives in half of them. */
export function anyFilter(): fc.Arbitrary<MentionFilter> {
  return fc
    .tuple(group(), fc.option(fc.array(group(), { minLength: 1, maxLength: 3 })))
    .map(([own, anyOf]): MentionFilter => (anyOf ? { ...own, anyOf } : own))
}

export type Times = Pick<MentionSearch, 'since' | 'until' | 'createdSince' | 'createdUntil'>

/** Bounds of publication and of match at the starts of days, mostly none. */
export function anyTimes(): fc.Arbitrary<Times> {
  const days = fc
    .option(fc.nat(7), { freq: 2 })
    .map((ago) => (ago === null ? null : plus(world.clock.now(), -ago * DAY_MS)))
  return fc.record({ since: days, until: days, createdSince: days, createdUntil: days })
}
