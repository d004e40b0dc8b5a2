import type { Role } from '../../domain/member/member.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** A workspace that somebody belongs to, and what they are there. */
export interface WorkspaceOfPerson {
  id: Uuid
  name: string
  role: Role
}

/** The workspaces of a person, the oldest first. */
export function listWorkspacesOf(db: Reader, userId: Uuid): Promise<WorkspaceOfPerson[]> {
  return db.query(sql`
    select w.id, w.name, m.role from membership m join workspace w on w.id = m.workspace_id where m.user_id = ${userId}
      order by w.created_at, w.id`)
}
