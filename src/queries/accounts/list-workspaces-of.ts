import type { Role } from '../../domain/member/member.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface WorkspaceOfPerson {
  id: Uuid
  name: string
  role: Role
}

/** Oldest first. */
export function listWorkspacesOf(db: Reader, userId: Uuid): Promise<WorkspaceOfPerson[]> {
  return db.query(sql`
    select w.id, w.name, m.role from membership m join workspace w on w.id = m.workspace_id where m.user_id = ${userId}
      and not w.importing
      order by w.created_at, w.id`)
}
