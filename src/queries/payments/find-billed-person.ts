import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** Who is billed for a workspace. */
export interface BilledPerson {
  userId: Uuid
  email: string
  /** The name of the workspace, because a person may have several. */
  workspace: string
}

/** The owner who has been there for longest; null for a workspace without owners. */
export async function findBilledPerson(reader: Reader, workspaceId: Uuid): Promise<BilledPerson | null> {
  const [person] = await reader.query<BilledPerson>(sql`
    select u.id as "userId", u.email, w.name as workspace from membership m join user_account u on u.id = m.user_id
      join workspace w on w.id = m.workspace_id
    where m.workspace_id = ${workspaceId} and m.role = 'owner' order by m.joined_at, m.id limit 1`)
  return person ?? null
}
