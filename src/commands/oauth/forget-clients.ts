import { HOUR_MS, plus } from '../../kernel/clock.ts'
import { sql } from '../../store/database.ts'
import { deleteInPortions, PORTION } from '../../store/delete-in-portions.ts'
import type { Services } from '../writing.ts'

/** Who is on the page about a client at this moment is not to find that it is gone. */
const AFTER_MS = HOUR_MS

/** Forgets clients whose time is over and that hold nothing any more. Answers how many. */
export async function forgetClients({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const before = plus(clock.now(), -AFTER_MS)
  // The condition stands here once more, for a client that came into use since it was picked.
  return deleteInPortions(
    db,
    sql`
      delete from oauth_client c using (
        select id from oauth_client where kept_until < ${before} and not exists (select from oauth_grant g
          where g.client_id = oauth_client.id)
         order by kept_until limit ${PORTION}) old
      where c.id = old.id and c.kept_until < ${before} returning 1`,
  )
}
