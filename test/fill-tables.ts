import { createHash } from 'node:crypto'
import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { type Database, sql, type Transaction } from '../src/store/database.ts'

interface Column {
  table: string
  name: string
  type: string
  /** The first value that a check of a list of words allows. */
  word: string | null
}

/** Values of columns whose checks say more than a list of words. */
const VALUES: Readonly<Record<string, string>> = {
  'delivery.kind': 'event',
  'mention_change.actor_kind': 'person',
}

/** Columns without null whose checks want them filled. */
const WANTED: readonly string[] = ['mention_change.actor_id']

/** Every table with rows of workspaces, by the catalogue of the database. Partitions count as their table. */
export async function workspaceTables(db: Pick<Database, 'query'>): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  return rows.map(({ name }) => name)
}

type Row = Readonly<Record<string, unknown>>

interface Reference {
  table: string
  columns: string[]
  to: string
  toColumns: string[]
}

/** Puts a row into every table of workspaces, and into what it refers to. Rows with a post have this one. */
export async function fillTables(db: Database, workspaceId: Uuid, postId: Uuid): Promise<void> {
  const [columns, references] = [await columnsOf(db), await referencesOf(db)]
  const rows = new Map<string, Row>([['workspace', { id: workspaceId }]])
  const fill = async (tx: Transaction, table: string): Promise<Row> => {
    const there = rows.get(table)
    if (there !== undefined) return there
    const given: Record<string, unknown> = { workspace_id: workspaceId, post_id: postId }
    for (const reference of references.filter((item) => item.table === table)) {
      const referred = await fill(tx, reference.to)
      for (const [place, column] of reference.columns.entries()) given[column] = referred[reference.toColumns[place]!]
    }
    const own = columns.filter((column) => column.table === table)
    const row = await insert(tx, table, own, given)
    rows.set(table, row)
    return row
  }
  await db.transaction(async (tx) => {
    for (const table of await workspaceTables(tx)) await fill(tx, table)
  })
}

async function referencesOf(db: Database): Promise<Reference[]> {
  const names = (side: 'con' | 'conf', keys: string) =>
    sql.raw(`
    (select array_agg(a.attname::text order by k.place) from unnest(c.${keys}) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = c.${side}relid and a.attnum = k.number)`)
  return await db.query<Reference>(sql`
    select c.conrelid::regclass::text as table, c.confrelid::regclass::text as to,
      ${names('con', 'conkey')} as columns, ${names('conf', 'confkey')} as "toColumns"
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'f' and c.conparentid = 0 and not t.relispartition and t.relnamespace = 'public'::regnamespace`)
}

async function columnsOf(db: Database): Promise<Column[]> {
  return await db.query<Column>(sql`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      (select substring(pg_get_constraintdef(k.oid) from '''([a-z][^'']*)''') from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as word
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and (a.attname = 'workspace_id'
      or c.relname || '.' || a.attname = any(${[...WANTED]}::text[])
      or (a.attnotnull and not a.atthasdef)) order by 1, a.attnum`)
}

async function insert(tx: Transaction, table: string, columns: readonly Column[], given: Row): Promise<Row> {
  const values = columns.map((column) => given[column.name] ?? VALUES[`${table}.${column.name}`] ?? valueFor(column))
  const names = columns.map(({ name }) => name).join(', ')
  const places = columns.map(({ type }, place) => `$${place + 1}::${type}`).join(', ')
  const [row] = await tx.run<Row>(
    `fill-${table}`,
    `insert into ${table} (${names}) values (${places}) returning *`,
    values,
  )
  return row!
}

let made = 0

function valueFor({ table, name, type, word }: Column): string {
  made += 1
  if (word !== null) return word
  if (name === 'address') return `https://place-${made}.example/`
  if (type.endsWith('[]')) return '{}'
  if (type === 'uuid') return newUuid(new Date(1_700_000_000_000 + made))
  if (type === 'bytea') return `\\x${createHash('sha256').update(`${table} ${name} ${made}`).digest('hex')}`
  if (type === 'date' || type.startsWith('timestamp')) return '2026-11-20'
  if (type === 'boolean') return 'false'
  if (type.startsWith('json')) return '{}'
  if (type.startsWith('bit')) return '0'.repeat(Number(/\d+/.exec(type)![0]))
  return type === 'text' ? `${table} ${made}` : '1'
}
