import { type Statement, sql } from '../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Services } from '../writing.ts'

/** Deletes expired rows, which have no effect before that either, and returns how many. */
export async function forgetSessionsAndLinks({ db, clock }: Services): Promise<number> {
  const now = clock.now()
  let forgotten = 0
  for (const portion of portionsOf(now)) forgotten += await deleteInBatches(db, portion)
  return forgotten
}

/** Skips locked rows until the next sweep. */
function portionsOf(now: Date): Statement<unknown>[] {
  return [
    sql`delete from user_session where hash in (select hash from user_session where expires_at <= ${now}
        limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`delete from email_link where hash in (select hash from email_link where expires_at <= ${now}
        limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`
      delete from invitation where (workspace_id, id) in
        (select workspace_id, id from invitation where expires_at <= ${now}
          limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`delete from invitation_mail where id in (select id from invitation_mail where expires_at <= ${now}
        limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`delete from account_mail where id in (select id from account_mail where expires_at <= ${now}
        limit ${DELETE_BATCH} for update skip locked) returning 1`,
  ]
}
