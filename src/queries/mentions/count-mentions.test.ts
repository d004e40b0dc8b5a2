import fc from 'fast-check'
import { expect, test } from 'vitest'
import { removePosts } from '../../commands/mentions/remove-posts.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { accountFacet } from '../../store/filter/facets.ts'
import { maintainBlocks, markBlocksStale } from '../../store/filter/mention-blocks.ts'
import { countMentions } from './count-mentions.ts'
import { anyFilter, anyTimes, type Times, useMentionsInBlocks } from './mentions-in-blocks.suite.ts'
import { EVERY_MENTION, keywordJoin, resolveSearch } from './search.ts'
import { searchCondition } from './search-condition.ts'

const { world, acme, keywords, ids } = useMentionsInBlocks()
const reading = () => ({ db: world.db, workspaceId: acme.workspaceId, clock: world.clock })

async function bothWays(filters: readonly MentionFilter[], more: Partial<Times> & { includeMuted?: boolean } = {}) {
  const asked = { ...EVERY_MENTION, filters, ...more }
  const counted = await countMentions(reading(), asked)
  const search = await resolveSearch(reading(), asked)
  if (isRefusal(counted) || isRefusal(search)) throw new Error('the search was refused')
  const [plain] = await world.db.query<{ total: number }>(sql`
    select count(*) as total from mention m ${keywordJoin(search)}
    where ${searchCondition(acme.workspaceId, search, world.clock.now())}`)
  return { counted: counted.total, wanted: plain!.total }
}

/** Some mentions of a muted person, snoozed, triaged, and both of the former; one block is stale. */
async function hideSome(): Promise<void> {
  const account = ids()[0]!
  await world.db.query(sql`
    with account as (insert into account (workspace_id, id, person_id, platform)
      values (${acme.workspaceId}, ${account}, ${account}, 0))
    insert into person (workspace_id, id, muted) values (${acme.workspaceId}, ${account}, true)`)
  const every = (step: number, from: number) => ids().filter((_, place) => place % step === from)
  await world.db.query(sql`
    update mention set account_id = ${account}, facets = facets || ${[accountFacet(acme.workspaceId, account)]}::bigint[]
    where workspace_id = ${acme.workspaceId} and id = any(${every(40, 3)}::uuid[])`)
  await world.db.query(sql`
    update mention set snoozed_until = ${plus(world.clock.now(), HOUR_MS)}
    where workspace_id = ${acme.workspaceId} and id = any(${every(30, 3)}::uuid[])`)
  await world.db.query(sql`
    update mention set status = 2 where workspace_id = ${acme.workspaceId} and id = any(${every(25, 3)}::uuid[])`)
  await world.db.transaction(async (tx) => {
    await tx.query(sql`update mention set sentiment = 2, relevance = 90, language = 'de'
      where workspace_id = ${acme.workspaceId} and id = any(${ids().slice(300, 320)}::uuid[])`)
    await markBlocksStale(tx, [{ workspaceId: acme.workspaceId, mentionId: ids()[300]! }], world.clock.now())
  })
}

test('a count by the sets of blocks is the one that looks at every mention', async () => {
  await hideSome()
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(1)
  const open = fc.boolean().map((only): MentionFilter => (only ? { status: 'open' } : {}))
  let some = 0
  await fc.assert(
    fc.asyncProperty(anyFilter(), open, anyTimes(), fc.boolean(), async (filter, status, times, includeMuted) => {
      const { counted, wanted } = await bothWays([{ ...filter, ...status }], { ...times, includeMuted })
      expect(counted).toBe(wanted)
      if (wanted > 0) some += 1
    }),
    { numRuns: 300 },
  )
  expect(some).toBeGreaterThan(20)
}, 120_000)

const COUNTED: MentionFilter[][] = [
  [{ platforms: ['reddit', 'x'] }],
  [{ sentiments: ['negative'], notIntents: ['question'] }],
  [{ languages: ['en'] }],
  [{ notLanguages: ['de'], automated: false }],
  [{ minRelevance: 40, maxRelevance: 79 }, { status: 'open' }],
  [{ relevant: false, isReply: true }],
  [{ anyOf: [{ ratings: [1, 2] }, { minFollowers: 1000 }] }],
]

test('summaries are counted, not the mentions of their blocks', async () => {
  const platforms = { platforms: ['bluesky'] as const }
  const { counted } = await bothWays([platforms])
  await world.db.query(sql`update mention set platform = 30 where workspace_id = ${acme.workspaceId}
    and id = any(${ids().slice(0, 10)}::uuid[])`)
  const after = await bothWays([platforms])
  expect(after.counted).toBe(counted)
  expect(after.wanted).toBeLessThan(counted)
  await world.db.query(sql`update mention set platform = 0 where workspace_id = ${acme.workspaceId}
    and id = any(${ids().slice(0, 10)}::uuid[])`)
})

const ALL: MentionFilter[] = [{ anyOf: [{ relevant: true }, { relevant: false }] }]

test('what goes with its post or its keyword, or is scored anew, is counted right before and after blocks are summed up', async () => {
  await maintainBlocks(world.db, world.clock.now())
  const gone = ids().slice(100, 103)
  const posts = await world.db.query<{ id: Uuid }>(sql`
    insert into post (id, platform, native_id, url, body, links, published_at, collected_at)
    select post_id, 0, post_id::text, 'https://posts.example/gone', 'gone', '{}', now(), now() from mention
      where workspace_id = ${acme.workspaceId} and id = any(${gone}::uuid[]) returning id`)
  const check = async () => {
    for (const filters of [ALL, ...COUNTED]) {
      const { counted, wanted } = await bothWays(filters)
      expect(counted).toBe(wanted)
    }
  }
  await world.db.transaction((tx) =>
    removePosts(
      tx,
      posts.map(({ id }) => id),
      world.clock.now(),
    ),
  )
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(1)
  await check()
  expect((await acme.api('DELETE', `/v1/keywords/${keywords()[2]!.shown.id}`)).status).toBe(204)
  await check()
  await maintainBlocks(world.db, world.clock.now())
  expect(await world.db.query(sql`select from mention_block where members < 256 and not stale`)).not.toHaveLength(0)
  await check()
})

test('a block whose mentions are all gone counts none', async () => {
  const block = sql`workspace_id = ${acme.workspaceId} and id <= (select last_id from mention_block order by last_id limit 1)`
  await world.db.transaction(async (tx) => {
    const gone = await tx.query<{ id: Uuid }>(sql`delete from mention where ${block} returning id`)
    expect(gone.length).toBeGreaterThan(0)
    await markBlocksStale(
      tx,
      gone.map(({ id }) => ({ workspaceId: acme.workspaceId, mentionId: id })),
      world.clock.now(),
    )
  })
  await maintainBlocks(world.db, world.clock.now())
  expect(await world.db.query(sql`select from mention_block where stale`)).toHaveLength(0)
  const { counted, wanted } = await bothWays(ALL)
  expect(counted).toBe(wanted)
})
