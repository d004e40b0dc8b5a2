import { makeKeywordDay } from '../../../test/rows.ts'
import type { World } from '../../../test/world.ts'
import { firstUuidAt, newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'

/** What the tests of usage share: counters as collecting, scoring and the daily run leave them. */

export interface Used {
  day: string
  platform: number
  matched: number
  scored: number
}

export async function storeUsage(
  { db }: World,
  workspaceId: Uuid,
  keywordId: Uuid,
  { day, platform, matched, scored }: Used,
): Promise<void> {
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, billable, mention_units)
    values (${workspaceId}, ${day}::date, ${keywordId}, ${platform}, ${matched}, ${scored}, ${scored}, ${scored * 24})`)
}

export async function storeKeywordDay({ db }: World, workspaceId: Uuid, keywordId: Uuid, day: string): Promise<void> {
  await makeKeywordDay({ db }, workspaceId, keywordId, day)
}

/** A mention of the last instant of a day that waits for its score. */
export async function storeWaiting(
  { db }: World,
  workspaceId: Uuid,
  keywordId: Uuid,
  day: string,
  platform: number,
): Promise<void> {
  const at = new Date(`${day}T23:59:59.999Z`)
  // The order of ids is the order of days; the end makes it one of its own.
  const id = (firstUuidAt(at).slice(0, -12) + newUuid(at).slice(-12)) as Uuid
  await db.query(sql`
    insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply, facets)
    values (${workspaceId}, ${id}, ${keywordId}, ${newUuid(at)}, ${at}, ${at}, ${platform}, false, '{}')`)
  await db.query(
    sql`insert into score_queue (workspace_id, mention_id, leased_until) values (${workspaceId}, ${id}, ${at})`,
  )
}
