import { beforeAll, expect, test } from 'vitest'
import { makeKeyword } from '../../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../../test/use-world.ts'
import { accepted } from '../../../test/world.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { DAY_MS, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { maintainBlocks } from '../../store/filter/mention-blocks.ts'
import { readByRelevance } from './relevance-page.ts'
import { EVERY_MENTION, resolveSearch } from './search.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')
beforeAll(async () => {
  const keyword = await makeKeyword(acme)
  const begin = plus(world.clock.now(), -7 * DAY_MS)
  const made = Array.from({ length: 3000 }, (_, number) => firstUuidAt(plus(begin, number * MINUTE_MS)))
  // Most have one of a few relevances, some have one of their own, and some have none.
  await world.db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, scored_at,
      relevance, sentiment, facets)
    select ${acme.workspaceId}, id, ${keyword.uuid}, gen_random_uuid(), ${begin}, ${begin}, n % 3, n % 40 = 0, now(),
      case when n % 11 = 0 then null when n % 500 = 7 then 100 when n % 7 = 0 then n % 101 else (array[3, 55, 90,
        91])[1 + n % 4] end, 0, '{}'
    from unnest(${made}::uuid[]) with ordinality as t (id, ordinality), lateral (select ordinality::int as n) numbered`)
  await maintainBlocks(world.db, world.clock.now())
})

async function pages(filter: MentionFilter, limit: number, count: number) {
  const search = accepted(await resolveSearch(acme, { ...EVERY_MENTION, filters: [filter] }))
  const rows: { id: Uuid; rank: number }[] = []
  for (let page = 0; page < count; page += 1) {
    const last = rows.at(-1)
    rows.push(
      ...(await readByRelevance(acme, search, {
        limit,
        after: last === undefined ? null : { last: last.id, marks: [last.rank] },
      })),
    )
  }
  return rows
}

test.each<[MentionFilter, number, number]>([
  [{}, 25, 8],
  [{}, 101, 31],
  [{ isReply: true }, 20, 5],
  [{ maxRelevance: 89 }, 60, 5],
  [{ minRelevance: 54.5, maxRelevance: 90, platforms: ['hackernews'] }, 30, 12],
  [{ relevant: false }, 50, 20],
])('pages of %j are the mentions by relevance, and of each the newest first', async (filter, limit, count) => {
  const { minRelevance = -1, maxRelevance = 101, isReply = null, relevant = null, platforms = null } = filter
  const wanted = await world.db.query(sql`
    select id, relevance as rank from mention where workspace_id = ${acme.workspaceId}
      and relevance >= ${minRelevance}::float8 and relevance <= ${maxRelevance}::float8
      and (${isReply}::boolean is null or is_reply = ${isReply}::boolean) and (${relevant}::boolean is null
        or (relevance >= 40) = ${relevant}::boolean)
      and (${platforms === null} or platform = 1)
    order by relevance desc, id desc limit ${limit * count}`)
  expect(wanted.length).toBeGreaterThan(50)
  expect(await pages(filter, limit, count)).toEqual(wanted)
})
