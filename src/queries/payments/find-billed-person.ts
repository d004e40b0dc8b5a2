import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface BilledPerson {
  userId: Uuid
  email: string
  /** A person may own several workspaces. */
  workspace: string
}

/** The longest-standing owner; null without owners. */
export async function findBilledPerson(reader: Reader, workspaceId: Uuid): Promise<BilledPerson | null> {
  const [person] = await reader.query<BilledPerson>(sql`
    select u.id as "userId", u.email, w.name as workspace from membership m join user_account u on u.id = m.user_id
      join workspace w on w.id = m.workspace_id
    where m.workspace_id = ${workspaceId} and m.role = 'owner' order by m.joined_at, m.id limit 1`)
  return person ?? null
}
