import type { Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { endGrants } from '../oauth/end-grants.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'

/** Ends every session, including the present one; `disconnect` also ends grants of programs. */
export async function signOutEverywhere(
  { db, clock }: Services,
  userId: Uuid,
  { disconnect }: { disconnect: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccount(tx, { id: userId })
    await tx.query(sql`delete from user_session where user_id = ${userId}`)
    if (disconnect) await endGrants(tx, { userId }, 'signed_out', clock.now())
  })
}
