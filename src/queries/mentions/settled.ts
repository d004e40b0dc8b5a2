import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { earliestInHand } from '../../store/mention/ingests-in-hand.ts'
import type { Reading } from '../reading.ts'

/** By so much the clocks of machines that store mentions may differ. */
export const CLOCKS_APART_MS = 2 * SECOND_MS

/**
 * Before which id every mention of the workspace is there and has its score, or has failed to get one. Later ones may
 * still come between those that are there: transactions do not end in the order of their ids, nor scores.
 *
 * What is being stored is asked before what waits for its score, and both before the mentions are read: a transaction
 * that ends between two of the questions is seen by the later one.
 */
export async function settledBefore({
  db,
  clock,
  workspaceId,
}: Pick<Reading, 'db' | 'clock' | 'workspaceId'>): Promise<Uuid> {
  const certain = plus(clock.now(), -CLOCKS_APART_MS)
  const inHand = await earliestInHand(db)
  const before = firstUuidAt(inHand !== null && inHand < certain ? inHand : certain)
  const [waiting] = await db.query<{ mention_id: Uuid }>(sql`
    select mention_id from score_queue where workspace_id = ${workspaceId} and mention_id < ${before}
      order by mention_id limit 1`)
  return waiting?.mention_id ?? before
}
