import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { deleteInPortions, PORTION } from '../../store/delete-in-portions.ts'
import type { Services } from '../writing.ts'

/**
 * What could still be used a moment ago may be in use in a transaction that began before; nothing is forgotten so
 * early.
 */
const AFTER_MS = HOUR_MS

/**
 * Forgets tokens that have expired, and grants that nothing can be done with any more, with their codes: revoked ones,
 * and those without a token. A used code or refresh token stays as long as its grant and it could live, so that its
 * coming a second time is noticed, and so do signed statements of clients. Answers how many rows went.
 */
export async function forgetGrants({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = plus(clock.now(), -AFTER_MS)
  return (await forgetTokens(db, before)) + (await forgetDead(db, before)) + (await forgetAssertions(db, before))
}

async function forgetAssertions(db: Services['db'], before: Date): Promise<number> {
  return deleteInPortions(
    db,
    sql`
      delete from oauth_assertion a using (
        select client_id, hash from oauth_assertion where expires_at < ${before} order by expires_at
          limit ${PORTION}) old
      where a.client_id = old.client_id and a.hash = old.hash returning 1`,
  )
}

async function forgetTokens(db: Services['db'], before: Date): Promise<number> {
  return deleteInPortions(
    db,
    sql`
      delete from oauth_token t using (
        select workspace_id, hash from oauth_token where expires_at < ${before} order by expires_at
          limit ${PORTION}) old
      where t.workspace_id = old.workspace_id and t.hash = old.hash returning 1`,
  )
}

/** A young grant without a token may still get its first ones for its code. */
async function forgetDead(db: Services['db'], before: Date): Promise<number> {
  return deleteInPortions(
    db,
    sql`
      delete from oauth_grant g using (
        select workspace_id, id from oauth_grant d
         where d.revoked_at < ${before}
            or d.created_at < ${before} and not exists (select from oauth_token t where t.workspace_id = d.workspace_id
              and t.grant_id = d.id)
         order by workspace_id, id limit ${PORTION}) dead
      where g.workspace_id = dead.workspace_id and g.id = dead.id returning 1`,
  )
}
