import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql } from '../../store/database.ts'

/** All grants of a person to a client in one workspace, such as from several computers. */
export interface GrantOfPerson {
  workspaceId: Uuid
  workspaceName: string
  /** Of the first grant. */
  id: Uuid
  clientName: string
  /** The address of the document for a client that has one. */
  clientId: string
  /** The widest scope of the grants. */
  scope: 'read' | 'write'
  /** Of the first grant. */
  createdAt: Date
  /** What the client made in the person's name and still exists: valid keys, open invitations, channels. */
  made: { keys: string[]; invitations: string[]; channels: string[] }
}

/** Names listed of each kind. */
const NAMED_MOST = 20

/** The clients that may act for a person in workspaces they belong to, latest grant first. */
export function listGrantsOf(db: Reader, userId: Uuid, now: Date): Promise<GrantOfPerson[]> {
  return db.query(sql`
    select g.workspace_id as "workspaceId", w.name as "workspaceName", (array_agg(g.id
      order by g.created_at, g.id))[1] as id,
           c.name as "clientName", c.id as "clientId", case when bool_or(g.scope = 'write') then 'write'
             else 'read' end as scope, min(g.created_at) as "createdAt",
           jsonb_build_object(
             'keys', ${names(sql`t.name`, sql`api_key`, sql`t.revoked_at is null`)},
             'invitations', ${names(sql`t.email`, sql`invitation`, sql`t.expires_at > ${now}`)},
             'channels', ${names(sql`t.label`, sql`channel`, sql`true`)}) as made
      from oauth_grant g
      join membership m on m.workspace_id = g.workspace_id and m.user_id = g.user_id
      join workspace w on w.id = g.workspace_id
      join oauth_client c on c.id = g.client_id
     where g.user_id = ${userId} and g.revoked_at is null
     group by g.workspace_id, w.name, c.id
     order by max(g.created_at) desc, id`)
}

/** What was made under the grants of the statement around it. */
function names(name: Statement<unknown>, table: Statement<unknown>, condition: Statement<unknown>) {
  return sql`
    array(select ${name} from ${table} t where t.workspace_id = g.workspace_id and t.grant_id = any(array_agg(g.id))
      and ${condition} order by t.id limit ${NAMED_MOST})`
}
