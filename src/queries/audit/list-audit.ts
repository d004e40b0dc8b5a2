import type { ActorKind, AuditKind } from '../../domain/audit/kinds.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'

export interface AuditEntry {
  id: Id<'aud'>
  at: string
  kind: AuditKind
  actor: AuditActor
  target: { id: string | null; name: string | null } | null
  data: AuditFacts
  address: string | null
  requestId: string | null
}

type AuditFacts = Record<string, string | number | boolean | string[] | null>

export interface AuditActor {
  type: ActorKind
  id: Id<'user' | 'key'> | null
  name: string | null
  email: string | null
  /** The client through which a person acted. */
  app: { clientId: string; name: string } | null
}

export interface AuditPage {
  data: AuditEntry[]
  nextCursor: string | null
}

export interface AuditListing {
  kinds: readonly AuditKind[] | null
  actor: { type: ActorKind; id: Uuid | null } | null
  since: Date | null
  until: Date | null
  limit: number
  cursor: string | null
}

interface Row {
  id: Uuid
  at: Date
  kind: AuditKind
  actor_kind: ActorKind
  actor_id: Uuid | null
  actor_name: string | null
  actor_email: string | null
  client_id: string | null
  client_name: string | null
  target_id: string | null
  target_name: string | null
  data: AuditFacts
  address: string | null
  request_id: string | null
}

const SORT = 'audit'

/** Newest first: ids begin with the time. */
export async function listAudit(
  reading: Pick<QueryContext, 'db' | 'workspaceId'>,
  { kinds, actor, since, until, limit, cursor }: AuditListing,
): Promise<AuditPage | Refusal<'invalid_cursor' | 'not_found'>> {
  const { db, workspaceId } = reading
  const after = cursor === null ? null : await placeOf(reading, cursor)
  if (isRefusal(after)) return after
  const conditions = [
    ...(after === null ? [] : [sql`id < ${after}`]),
    ...(kinds === null ? [] : [sql`kind = any(${kinds}::text[])`]),
    ...(actor === null ? [] : [sql`actor_kind = ${actor.type}`]),
    ...(actor === null || actor.id === null ? [] : [sql`actor_id = ${actor.id}`]),
    ...(since === null ? [] : [sql`id >= ${firstUuidAt(since)} and at >= ${since}`]),
    ...(until === null ? [] : [sql`at < ${until}`]),
  ]
  const rows = await db.query<Row>(sql`
    select id, at, kind, actor_kind, actor_id, actor_name, actor_email, client_id, client_name, target_id, target_name,
      data, address, request_id
      from audit_entry where ${sql.join(
        [
          sql`workspace_id =
          ${workspaceId}`,
          ...conditions,
        ],
        sql`
          and `,
      )}
        order by id desc limit ${limit + 1}`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return { data: shown.map(fromRow), nextCursor }
}

function fromRow(row: Row): AuditEntry {
  return {
    id: toId('aud', row.id),
    at: row.at.toISOString(),
    kind: row.kind,
    actor: {
      type: row.actor_kind,
      id: row.actor_id === null ? null : toId(row.actor_kind === 'api_key' ? 'key' : 'user', row.actor_id),
      name: row.actor_name,
      email: row.actor_email,
      app: row.client_id === null ? null : { clientId: row.client_id, name: row.client_name ?? '' },
    },
    target: row.target_id === null && row.target_name === null ? null : { id: row.target_id, name: row.target_name },
    data: row.data,
    address: row.address,
    requestId: row.request_id,
  }
}

async function placeOf(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  cursor: string,
): Promise<Uuid | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const rows = await db.query(sql`select id from audit_entry where workspace_id = ${workspaceId} and id = ${id}`)
  return rows.length > 0 ? id : refuse('not_found', 'The entry at this cursor is gone; start again without a cursor')
}
