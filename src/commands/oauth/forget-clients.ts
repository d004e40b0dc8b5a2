import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { DELETE_BATCH, deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Services } from '../writing.ts'

/** A person on the client's consent page must not lose it. */
const AFTER_MS = HOUR_MS

export async function forgetClients({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = plus(clock.now(), -AFTER_MS)
  // For clients that came into use after the selection.
  return deleteInBatches(
    db,
    sql`
      delete from oauth_client c using (
        select id from oauth_client where kept_until < ${before} and not exists (select from oauth_grant g
          where g.client_id = oauth_client.id)
         order by kept_until limit ${DELETE_BATCH}) old
      where c.id = old.id and c.kept_until < ${before} returning 1`,
  )
}
