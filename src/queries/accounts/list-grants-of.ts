import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'

/** What a person allowed a program in one workspace, however often they did, as from several of their computers. */
export interface GrantOfPerson {
  workspaceId: Uuid
  workspaceName: string
  /** Of the first time. */
  id: Uuid
  clientName: string
  /** Of a program that is described by a document, the address of that. */
  clientId: string
  /** The most that it may do. */
  scope: 'read' | 'write'
  /** When they first did. */
  createdAt: Date
}

/** The programs that may act for a person now, in whichever workspace they still belong to; those allowed last first. */
export function listGrantsOf(db: Reader, userId: Uuid): Promise<GrantOfPerson[]> {
  return db.query(sql`
    select g.workspace_id as "workspaceId", w.name as "workspaceName", (array_agg(g.id order by g.created_at, g.id))[1] as id,
           c.name as "clientName", c.id as "clientId", case when bool_or(g.scope = 'write') then 'write' else 'read' end as scope, min(g.created_at) as "createdAt"
      from oauth_grant g
      join membership m on m.workspace_id = g.workspace_id and m.user_id = g.user_id
      join workspace w on w.id = g.workspace_id
      join oauth_client c on c.id = g.client_id
     where g.user_id = ${userId} and g.revoked_at is null
     group by g.workspace_id, w.name, c.id
     order by max(g.created_at) desc, id`)
}
