import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'

const MIGRATIONS = join(import.meta.dirname, '../../src/store/migrations')

/** The database of a version with a row or more in every table, as JSON. */
export interface Dump {
  version: string
  /** Of the sources that wrote it; another build of that version can be made of it. */
  commit: string
  /** When it was written, as ISO 8601. */
  at: string
  /** For EARSHOT_SECRET_KEY. */
  secretKey: string
  workspaceId: string
  /** An API key of the workspace that may write. */
  key: string
  /** An id of each kind, by prefix. */
  ids: Record<string, string>
  /** Applied, in order, with the SHA-256 of their text. */
  migrations: { name: string; hash: string }[]
  rows: Record<string, object[]>
  /** The last values of sequences. */
  sequences: Record<string, string>
}

/** Each kept dump, the oldest first. */
export function readDumps(): Dump[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => JSON.parse(gunzipSync(readFileSync(join(import.meta.dirname, name))).toString()) as Dump)
    .sort((one, other) => one.at.localeCompare(other.at))
}

/** Names and texts of the present migrations, in order. */
export function presentMigrations(): { name: string; text: string; hash: string }[] {
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  return files.sort().map((file) => {
    const text = readFileSync(join(MIGRATIONS, file), 'utf8')
    return { name: file.replace('.sql', ''), text, hash: createHash('sha256').update(text).digest('hex') }
  })
}

/** Tables that hold rows: those that are divided count once, by the whole. */
const TABLES = `
  select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relname !~ '^kysely_' order by 1`

export async function tablesOf(client: pg.ClientBase): Promise<string[]> {
  return (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name)
}

const SEQUENCES = `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'`

export async function readRows(client: pg.ClientBase): Promise<Pick<Dump, 'rows' | 'sequences'>> {
  const rows: Dump['rows'] = {}
  for (const name of await tablesOf(client))
    rows[name] = (await client.query<{ row: object }>(`select to_jsonb(t) as row from "${name}" t`)).rows.map(
      ({ row }) => row,
    )
  const sequences = (await client.query<{ name: string; value: string | null }>(SEQUENCES)).rows
  return { rows, sequences: Object.fromEntries(sequences.flatMap(({ name, value }) => (value ? [[name, value]] : []))) }
}

/** Makes the database of the dump in an empty one, as its version left it. */
export async function loadDump(connection: string, dump: Dump): Promise<void> {
  const texts = new Map(presentMigrations().map(({ name, text }) => [name, text]))
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  try {
    await client.query('begin')
    for (const { name } of dump.migrations) await client.query(texts.get(name)!)
    await client.query(`
      create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
      create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
      insert into kysely_migration_lock (id) values ('migration_lock')`)
    for (const [at, { name }] of dump.migrations.entries())
      await client.query('insert into kysely_migration values ($1, $2)', [name, new Date(at).toISOString()])
    await withoutReferences(client, async () => {
      for (const [name, rows] of Object.entries(dump.rows)) await insertRows(client, name, rows)
    })
    for (const [name, value] of Object.entries(dump.sequences))
      await client.query('select setval($1, $2)', [name, value])
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** Tables come in the order of their names; the foreign keys are made again at the end, which checks them. */
async function withoutReferences(client: pg.ClientBase, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string; text: string }>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as text
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint "${name}"`)
  await work()
  for (const { table, name, text } of rows) await client.query(`alter table ${table} add constraint "${name}" ${text}`)
}

/** Triggers would count what is in the dump a second time. */
export async function withoutTriggers(
  client: pg.ClientBase,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  await client.query(`alter table "${table}" disable trigger user`)
  await work()
  await client.query(`alter table "${table}" enable trigger user`)
}

async function insertRows(client: pg.ClientBase, table: string, rows: readonly object[]): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const names = columns.map(({ name }) => name).join(', ')
  await withoutTriggers(client, table, async () => {
    await client.query(`delete from "${table}"`)
    await client.query(
      `insert into "${table}" (${names}) overriding system value
       select ${names} from jsonb_populate_recordset(null::"${table}", $1::jsonb)`,
      [JSON.stringify(rows)],
    )
  })
}
