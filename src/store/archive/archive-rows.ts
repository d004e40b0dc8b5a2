import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/account-changes.ts'
import type { ArchivedName } from './archived-tables.ts'

export type ArchiveRow = Record<string, unknown>

/** Rows that others of the archive refer to. A row is not imported without them. */
const REFERS: Partial<Record<ArchivedName, readonly (readonly [column: string, table: ArchivedName])[]>> = {
  keyword: [['group_id', 'keyword_group']],
  keyword_counter: [['keyword_id', 'keyword']],
  keyword_expired: [['keyword_id', 'keyword']],
  keyword_recent: [['keyword_id', 'keyword']],
  alert_channel: [
    ['alert_id', 'alert'],
    ['channel_id', 'channel'],
  ],
  mention: [['keyword_id', 'keyword']],
  mention_change: [['mention_id', 'mention']],
  delivery_attempt: [['delivery_id', 'delivery']],
  ledger_posting: [['entry_id', 'ledger_entry']],
}

/** The types of a table's columns, without those that the server fills in. */
export async function readColumns(reader: Reader, table: string): Promise<Map<string, string>> {
  const rows = await reader.query<{ name: string; type: string }>(sql`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attidentity = ''`)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Inserts rows of one table that have the same columns. Leaves out rows without what they refer to. */
export async function insertArchived(tx: Transaction, table: ArchivedName, rows: readonly ArchiveRow[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
    .map((column) => `"${column}"`)
    .join(', ')
  const refers = (REFERS[table] ?? []).map(
    ([column, to]) => `exists (select from ${to} x where x.workspace_id = r.workspace_id and x.id = r.${column})`,
  )
  const where = refers.length === 0 ? '' : `where ${refers.join(' and ')}`
  const [from, to] = [`insert into ${table} (${names}) select ${names}`, `null::${table}`]
  await tx.query(
    sql`${sql.raw(from)} from jsonb_populate_recordset(${sql.raw(to)}, ${JSON.stringify(rows)}::jsonb) r
        ${sql.raw(where)}`,
    { recurs: true },
  )
}

/** Notes scored mentions for the counts of their accounts. */
export async function countImported(tx: Transaction, workspaceId: Uuid, mentionIds: readonly Uuid[]): Promise<void> {
  await tx.run(
    'import-counts',
    `with come as (select ${COUNTED_COLUMNS} from mention m where m.workspace_id = $1 and m.id = any($2::uuid[]))
     ${notingMentions('come', 'come')}`,
    [workspaceId, mentionIds],
  )
}

/**
 * Gives accounts, and people who are called by them, the ids by which later posts of their authors find them. The
 * caller holds the workspace's people.
 */
export async function renameAccounts(tx: Transaction, workspaceId: Uuid, owns: ReadonlyMap<Uuid, Uuid>): Promise<void> {
  if (owns.size === 0) return
  const [ids, own] = [[...owns.keys()], [...owns.values()]]
  const renamed = await tx.query(sql`
    update account a set id = p.own from unnest(${ids}::uuid[], ${own}::uuid[]) as p (id, own)
    where a.workspace_id = ${workspaceId} and a.id = p.id returning 1`)
  if (renamed.length === 0) return
  await tx.query(sql`
    update account a set person_id = p.own from unnest(${ids}::uuid[], ${own}::uuid[]) as p (id, own)
    where a.workspace_id = ${workspaceId} and a.person_id = p.id`)
  await tx.query(sql`
    update person a set id = p.own from unnest(${ids}::uuid[], ${own}::uuid[]) as p (id, own)
    where a.workspace_id = ${workspaceId} and a.id = p.id`)
}
