import { HOUR_MS, plus } from '../../../kernel/clock.ts'
import { type Statement, sql } from '../../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../../store/delete-in-batches.ts'
import type { Services } from '../../writing.ts'
import { RECEIPT_LIFETIME_MS } from './limits.ts'

/** Deletes expired rows, which have no effect before that either; returns how many. */
export async function forgetMails({ db, clock }: Services): Promise<number> {
  let forgotten = 0
  for (const portion of portionsOf(clock.now())) forgotten += await deleteInBatches(db, portion)
  return forgotten
}

function portionsOf(now: Date): Statement<unknown>[] {
  return [
    sql`
      delete from confirmation_mail where (workspace_id, id) in
        (select workspace_id, id from confirmation_mail where expires_at <= ${now}
          limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`
      delete from email_receipt where (workspace_id, delivery_id, email) in
        (select workspace_id, delivery_id, email from email_receipt r
          where created_at <= ${plus(now, -RECEIPT_LIFETIME_MS)}
          -- Of what is still to be sent, after a long absence, it has to be known who has it.
          and not exists (select from delivery_queue q
            where q.workspace_id = r.workspace_id and q.delivery_id = r.delivery_id)
          limit ${DELETE_BATCH} for update skip locked) returning 1`,
    sql`
      delete from email_sent where (workspace_id, channel_id, kind, delivery_id) in
        (select workspace_id, channel_id, kind, delivery_id from email_sent where sent_at <= ${plus(now, -HOUR_MS)}
          limit ${DELETE_BATCH} for update skip locked) returning 1`,
  ]
}
