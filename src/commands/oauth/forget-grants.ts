import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Services } from '../writing.ts'

/** Transactions begun earlier may still use what has expired. */
const AFTER_MS = HOUR_MS

/**
 * Used codes and refresh tokens stay while they could be valid, so that a repetition is noticed. Returns how many rows.
 */
export async function forgetGrants({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = plus(clock.now(), -AFTER_MS)
  return (await forgetTokens(db, before)) + (await forgetDead(db, before)) + (await forgetAssertions(db, before))
}

async function forgetAssertions(db: Services['db'], before: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`
      delete from oauth_assertion a using (
        select client_id, hash from oauth_assertion where expires_at < ${before} order by expires_at
          limit ${DELETE_BATCH}) old
      where a.client_id = old.client_id and a.hash = old.hash returning 1`,
  )
}

async function forgetTokens(db: Services['db'], before: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`
      delete from oauth_token t using (
        select workspace_id, hash from oauth_token where expires_at < ${before} order by expires_at
          limit ${DELETE_BATCH}) old
      where t.workspace_id = old.workspace_id and t.hash = old.hash returning 1`,
  )
}

/** A young grant may still exchange its code. */
async function forgetDead(db: Services['db'], before: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`
      delete from oauth_grant g using (
        select workspace_id, id from oauth_grant d
         where d.revoked_at < ${before}
            or d.created_at < ${before} and not exists (select from oauth_token t where t.workspace_id = d.workspace_id
              and t.grant_id = d.id)
         order by workspace_id, id limit ${DELETE_BATCH}) dead
      where g.workspace_id = dead.workspace_id and g.id = dead.id returning 1`,
  )
}
