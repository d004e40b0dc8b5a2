import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { beginArrival } from './removed-meanwhile.ts'

/** `new`: not there; `arriving`: copied in part, and nobody sees it; `open`: as any other. */
export type ArrivalState = 'new' | 'arriving' | 'open'

export async function arrivalState(reader: Reader, workspaceId: Uuid): Promise<ArrivalState> {
  const [row] = await reader.query<{ arriving: boolean }>(
    sql`select importing and frozen as arriving from workspace where id = ${workspaceId}`,
  )
  if (row === undefined) return 'new'
  return row.arriving ? 'arriving' : 'open'
}

/** Set by the move itself. */
const OWN_COLUMNS: readonly string[] = ['id', 'frozen', 'importing', 'deletes_at']

/** Makes the workspace there, or brings its own row up to date; nobody sees it. */
export async function arrive(here: Reader, there: Transaction, workspaceId: Uuid): Promise<void> {
  const [row] = await here.query<{ line: string; names: string[] }>(sql`
    select row_to_json(w)::text as line, array(select jsonb_object_keys(to_jsonb(w))) as names
    from workspace w where id = ${workspaceId}`)
  const names = row!.names.filter((name) => !OWN_COLUMNS.includes(name)).sort()
  const columns = sql.join(names.map((name) => sql.ref(name)))
  await there.query(sql`
    insert into workspace (id, importing, frozen, ${columns})
    select id, true, true, ${columns} from json_populate_record(null::workspace, ${row!.line}::json)
    on conflict (id) do update set ${sql.join(names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}
    where workspace.frozen and workspace.importing`)
  await beginArrival(there, workspaceId)
}

/** Lets the workspace be seen and go on. */
export async function open(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`
    insert into words_to_renew (workspace_id, before_id)
    values (${workspaceId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    on conflict (workspace_id) do update set before_id = excluded.before_id`)
  await tx.query(sql`delete from moved_workspace where id = ${workspaceId}`)
  await thaw(tx, workspaceId)
}

export async function thaw(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`update workspace set importing = false, frozen = false where id = ${workspaceId}`)
}

export async function keywordIds(reader: Reader, workspaceId: Uuid): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(
    sql`select id from keyword where workspace_id = ${workspaceId} order by id`,
  )
  return rows.map(({ id }) => id)
}

/** The time of the newest post of each source, as text with every digit; those read since `after`. */
export async function readSources(reader: Reader, after: Date): Promise<Record<string, string>> {
  const rows = await reader.query<{ source: string; newest: string }>(sql`
    select source, newest_at::text as newest from source_state
    where newest_at is not null and updated_at > ${after} order by source`)
  return Object.fromEntries(rows.map(({ source, newest }) => [source, newest]))
}
