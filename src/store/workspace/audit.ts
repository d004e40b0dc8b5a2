import type { AuditEvent, AuditKind } from '../../domain/audit/kinds.ts'
import { firstUuidAt, newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { type Agent, originOfWork } from '../../kernel/origin.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'

export interface AuditOptions {
  /** Overrides the origin of the work. */
  agent?: Agent
  /** Skips an entry of the same kind and target within this time. */
  apartMs?: number
}

/** With the names at that time. */
export interface WrittenAudit {
  workspaceId: Uuid
  actorName: string | null
  appName: string | null
  targetId: string | null
  targetName: string | null
}

/** In the transaction of the change; agent and address come from the origin of the work. */
export async function recordAudit(
  tx: Transaction,
  told: AuditEvent | readonly AuditEvent[],
  at: Date,
  { agent: given, apartMs }: AuditOptions = {},
): Promise<WrittenAudit[]> {
  const events = [told].flat() as AuditEvent[]
  if (events.length === 0) return []
  const { agent: acting, address, requestId } = originOfWork()
  const agent = given ?? acting
  const rows = JSON.stringify(events.map((event) => rowOf(event, at)))
  const apart =
    apartMs === undefined
      ? sql`true`
      : sql`not exists (select from audit_entry o where o.workspace_id = w.workspace_id and o.kind = e.kind
          and o.target_id = e.target_id
                          and o.at > ${new Date(at.getTime() - apartMs)})`
  return await tx.query<WrittenAudit>(sql`
    insert into audit_entry
      (workspace_id, id, at, kind, actor_kind, actor_id, actor_name, actor_email, client_id, client_name, target_id,
        target_name, data, address, request_id)
    select w.workspace_id, e.id, ${at}, e.kind, ${agent.kind}, ${'id' in agent ? agent.id : null}::uuid,
           coalesce(u.name, k.name, ${agent.kind === 'provider' ? agent.name : null}), u.email, c.id, c.name,
           e.target_id, coalesce(t.email, e.target_name), e.data, ${address}, ${requestId}
      from jsonb_to_recordset(${rows}::jsonb)
             as e (id uuid, workspace_id uuid, of_person uuid, kind text, target_id text, target_name text,
               target_user uuid, data jsonb)
      join lateral (select e.workspace_id where e.workspace_id is not null
                    union all select m.workspace_id from membership m where m.user_id = e.of_person) w on true
      left join user_account t on t.id = e.target_user
      left join user_account u on u.id = ${agent.kind === 'person' ? agent.id : null}::uuid
      left join api_key k on k.workspace_id = w.workspace_id
        and k.id = ${agent.kind === 'api_key' ? agent.id : null}::uuid
      left join oauth_grant g on g.workspace_id = w.workspace_id
        and g.id = ${agent.kind === 'person' ? agent.grantId : null}::uuid
      left join oauth_client c on c.id = g.client_id
     where ${apart} order by w.workspace_id, e.id
    returning workspace_id as "workspaceId", actor_name as "actorName", client_name as "appName",
      target_id as "targetId", target_name as "targetName"`)
}

/** A null `targetId` counts all targets. */
export async function countRecent(
  reader: Reader,
  workspaceId: Uuid,
  kind: AuditKind,
  targetId: string | null,
  since: Date,
): Promise<number> {
  const [row] = await reader.query<{ entries: number }>(sql`
    select count(*) as entries from audit_entry
     where workspace_id = ${workspaceId} and kind = ${kind} and id >= ${firstUuidAt(since)} and at >= ${since}
       and (${targetId}::text is null or target_id = ${targetId})`)
  return row!.entries
}

function rowOf(event: AuditEvent, at: Date): Record<string, unknown> {
  const { kind, target, data } = event
  const about =
    'userId' in target
      ? { target_id: toId('user', target.userId), target_user: target.userId }
      : { target_id: target.id, target_name: target.name }
  const place = 'workspaceId' in event ? { workspace_id: event.workspaceId } : { of_person: event.ofPerson }
  return { id: newUuid(at), ...place, kind, ...about, data }
}

export function pruneAudit(db: Database, before: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`
      delete from audit_entry a using (select workspace_id, id from audit_entry where at < ${before} order by at
        limit ${DELETE_BATCH}) old
       where a.workspace_id = old.workspace_id and a.id = old.id returning 1`,
  )
}
