import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import type { ArchivedName } from './archived-tables.ts'

export type ArchiveRow = Record<string, unknown>

/** Rows that others of the archive refer to. A row is not imported without them. */
const REFERS: Partial<Record<ArchivedName, readonly (readonly [column: string, table: ArchivedName])[]>> = {
  keyword: [['group_id', 'keyword_group']],
  keyword_counter: [['keyword_id', 'keyword']],
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
  await tx.run(
    `import-${table}`,
    `insert into ${table} (${names})
     select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb) r ${where}`,
    [JSON.stringify(rows)],
  )
}

/** Posts that are stored already stay as they are. */
export async function insertPostsOnce(tx: Transaction, rows: readonly ArchiveRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.run(
    'import-posts',
    `insert into post select (r).* from (select distinct on (r.id) r from
       jsonb_populate_recordset(null::post, $1::jsonb) r order by r.id) rows on conflict (id) do nothing`,
    [JSON.stringify(rows)],
  )
}

/** Pairs of ids that an account has in the archive, under the new ids, and by its author. */
export async function beginAccountPairs(tx: Transaction): Promise<void> {
  await tx.query(sql`create temporary table imported_account (id uuid primary key, own uuid not null) on commit drop`)
}

export async function noteAccountPairs(tx: Transaction, pairs: ReadonlyMap<Uuid, Uuid>): Promise<void> {
  await tx.query(sql`
    insert into imported_account select * from unnest(${[...pairs.keys()]}::uuid[], ${[...pairs.values()]}::uuid[])
    on conflict do nothing`)
}

/** Gives accounts and people the ids by which later posts of their authors find them. */
export async function renameAccounts(tx: Transaction, workspaceId: Uuid): Promise<void> {
  await tx.query(sql`
    update account a set id = p.own from imported_account p where a.workspace_id = ${workspaceId} and a.id = p.id`)
  await tx.query(sql`
    update account a set person_id = p.own from imported_account p
    where a.workspace_id = ${workspaceId} and a.person_id = p.id`)
  await tx.query(sql`
    update person a set id = p.own from imported_account p where a.workspace_id = ${workspaceId} and a.id = p.id`)
}
