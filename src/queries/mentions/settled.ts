import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { earliestInFlight } from '../../store/mention/ingests-in-flight.ts'
import type { QueryContext } from '../reading.ts'

/** Most that clocks of storing machines may differ. */
export const CLOCKS_APART_MS = 2 * SECOND_MS

/**
 * The id before which every mention is stored and scored or failed. Later mentions may still appear among existing
 * ones, because neither transactions nor scores end in id order. Mentions being stored are read before those waiting
 * for a score, and both before the list: a transaction that ends in between is seen by the later query. Both are asked
 * of the primary, because a standby may show a commit a moment before the primary does.
 */
export async function settledBefore({
  db,
  clock,
  workspaceId,
}: Pick<QueryContext, 'db' | 'clock' | 'workspaceId'>): Promise<Uuid> {
  const certain = plus(clock.now(), -CLOCKS_APART_MS)
  const inFlight = await earliestInFlight(db)
  const before = firstUuidAt(inFlight !== null && inFlight < certain ? inFlight : certain)
  const [waiting] = await db.query<{ mention_id: Uuid }>(
    sql`
      select mention_id from score_queue where workspace_id = ${workspaceId} and mention_id < ${before}
        order by mention_id limit 1`,
    { atPrimary: true },
  )
  return waiting?.mention_id ?? before
}
