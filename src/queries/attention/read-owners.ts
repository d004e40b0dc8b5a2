import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface NotifiedOwner {
  workspaceId: Uuid
  workspaceName: string
  email: string
}

/** Longest membership first. */
export function readOwners(reader: Reader, workspaceIds: readonly Uuid[]): Promise<NotifiedOwner[]> {
  return reader.query<NotifiedOwner>(sql`
    select m.workspace_id as "workspaceId", w.name as "workspaceName", u.email
    from membership m join user_account u on u.id = m.user_id join workspace w on w.id = m.workspace_id
    where m.workspace_id = any(${workspaceIds}::uuid[]) and m.role = 'owner'
      order by m.workspace_id, m.joined_at, m.id`)
}
