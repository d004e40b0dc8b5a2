import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** Whether the person has a live grant for the client in any workspace. */
export async function hasAllowed(db: Reader, userId: Uuid, clientId: string): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from oauth_grant where user_id = ${userId} and client_id = ${clientId} and revoked_at is null limit 1`,
  )
  return rows.length > 0
}
