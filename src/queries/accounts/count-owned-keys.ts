import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** A workspace that a person owns, and how many API keys open it now. */
export interface OwnedKeys {
  workspaceName: string
  keys: number
}

/** The workspaces of a person as their owner that have API keys which work, the oldest first. */
export function countOwnedKeys(db: Reader, userId: Uuid, now: Date): Promise<OwnedKeys[]> {
  return db.query(sql`
    select w.name as "workspaceName", count(*) as keys
      from membership m
      join workspace w on w.id = m.workspace_id
      join api_key k on k.workspace_id = m.workspace_id
     where m.user_id = ${userId} and m.role = 'owner' and k.revoked_at is null and (k.expires_at is null
       or k.expires_at > ${now})
     group by w.id, w.name, w.created_at
     order by w.created_at, w.id`)
}
