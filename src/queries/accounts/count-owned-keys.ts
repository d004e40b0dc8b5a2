import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

export interface OwnedKeys {
  workspaceName: string
  keys: number
}

/** The workspaces that a person owns and that have valid API keys, oldest first. */
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
