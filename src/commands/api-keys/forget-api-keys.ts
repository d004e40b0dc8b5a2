import { DAY_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Services } from '../writing.ts'

/** Revoked keys stay this long, so that log entries can be looked up. */
const KEPT_MS = 90 * DAY_MS

/** Change records refer to keys only by id. Returns how many. */
export async function forgetApiKeys({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = plus(clock.now(), -KEPT_MS)
  return deleteInBatches(
    db,
    sql`delete from api_key where hash in (select hash from api_key where revoked_at < ${before} order by revoked_at
        limit ${DELETE_BATCH}) returning 1`,
  )
}
