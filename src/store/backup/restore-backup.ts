import { createHash, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { SECOND_MS, systemClock } from '../../kernel/clock.ts'
import { StartError } from '../../kernel/start-error.ts'
import { knownMigrations, migrateWithin } from '../migrate.ts'
import type { ArchiveReader } from './archive-reader.ts'
import { type ArchiveEnd, END, endSchema, type Manifest, type TableContent, tableOfPart } from './format.ts'
import { type OpenBackup, parsed } from './read-backup.ts'
import { type Connection, withSession } from './session.ts'
import { quoted, readTables } from './tables.ts'

export interface RestoreProgress {
  table: string
  /** From 0 to 1, by the size of the archive. */
  share: number
}

export interface RestoreOptions {
  connection: Connection
  backup: OpenBackup
  progress(done: RestoreProgress): void
  signal: AbortSignal
  /** Called when everything is in its place, before the commit. */
  beforeCommit(): void
}

export interface Restored {
  tables: number
  rows: number
  /** Tables of the archive that the schema does not have: somebody else's. */
  skipped: string[]
}

/**
 * Restores everything in one transaction: it is there whole, or nothing is. The schema is that of the archive. Throws a
 * StartError when the database is in use, is not empty, or is of another schema.
 */
export function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { connection, backup, signal } = options
  return withSession(connection, signal, async (client) => {
    await refuseOthers(client)
    await client.query('begin')
    await prepareSchema(client, backup.manifest)
    const names = await emptyTables(client)
    const contents = await fillTables(client, names, options)
    const end = await readEnd(backup.archive)
    compare(backup, contents, { end, names })
    for (const { table, column, last } of end.identities)
      if (names.has(table))
        await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
          pg.escapeIdentifier(table),
          column,
          last,
        ])
    options.beforeCommit()
    await client.query('commit')
    const filled = [...contents].filter(([name]) => names.has(name))
    return {
      tables: filled.length,
      rows: filled.reduce((sum, [, { rows }]) => sum + rows, 0),
      skipped: backup.manifest.tables.map(({ name }) => name).filter((name) => !names.has(name)),
    }
  })
}

/** The server ends the sessions of a process a moment after the process itself. */
const ENDING_MS = 2 * SECOND_MS
const LOOK_EVERY_MS = 100

async function refuseOthers(client: pg.Client): Promise<void> {
  for (let waitedMs = 0; await hasOthers(client); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= ENDING_MS)
      throw new StartError('Another Earshot uses this database; stop all its processes and restore again.')
    await systemClock.wait(LOOK_EVERY_MS)
  }
}

async function hasOthers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name like 'earshot%' and pid <> pg_backend_pid() limit 1`,
  )
  return rows.length > 0
}

/** Brings a database without a schema, or with an older one, to the schema of the archive. */
async function prepareSchema(client: pg.Client, { migrations, version }: Manifest): Promise<void> {
  const known = new Set(await knownMigrations())
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new StartError(
      `The backup was made by another build of Earshot (${version}), with the migration ${unknown}; restore it with ` +
        'that version or a newer one.',
    )
  const { rows: schema } = await client.query<{ there: boolean }>(
    "select to_regclass('kysely_migration') is not null as there",
  )
  if (schema[0]!.there) {
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
    const newer = rows.find(({ name }) => !migrations.includes(name))
    if (newer) throw new StartError(NEWER_SCHEMA)
  }
  await migrateWithin(client, migrations.at(-1)!)
}

const NEWER_SCHEMA =
  'The schema of this database is newer than that of the backup; restore into a new data folder or an empty ' +
  'database, where Earshot has not been started.'

/** Removes what a start has left in a database without workspaces and accounts. Answers the tables there are. */
async function emptyTables(client: pg.Client): Promise<Set<string>> {
  const names = (await readTables(client)).map(({ name }) => name).filter((name) => !name.startsWith('kysely_'))
  await client.query(`lock table ${quoted(names)} in access exclusive mode`)
  const { rows } = await client.query<{ used: boolean }>(
    'select exists (select from workspace) or exists (select from user_account) as used',
  )
  if (rows[0]!.used)
    throw new StartError(
      'This installation is not empty: it has workspaces or accounts. Restore into a new data folder (DATA_DIR) or ' +
        'an empty database (DATABASE_URL).',
    )
  for (const name of [...names].reverse()) await client.query(`delete from ${quoted([name])}`)
  // With an id of its own, by which matchers tell that they have to read every keyword.
  await client.query('insert into keyword_log default values')
  return new Set(names)
}

async function fillTables(
  client: pg.Client,
  names: ReadonlySet<string>,
  { backup, progress }: RestoreOptions,
): Promise<Map<string, TableContent>> {
  const { archive, manifest } = backup
  const whole = await archive.bytes()
  const contents = new Map<string, TableContent>()
  for (const { name, columns } of manifest.tables) {
    const table = { name, hash: createHash('sha256'), bytes: 0 }
    const parts = partsOf(archive, table, () => progress({ table: name, share: archive.position / whole }))
    let rows = 0
    if (names.has(name)) rows = await fill(client, `copy ${quoted([name])} (${quoted(columns)}) from stdin`, parts)
    else for await (const _ of parts);
    contents.set(name, { rows, bytes: table.bytes, sha256: table.hash.digest('hex') })
  }
  return contents
}

async function fill(client: pg.Client, copy: string, parts: AsyncIterable<Buffer>): Promise<number> {
  const into = client.query(copyFrom(copy))
  await pipeline(parts, into)
  return into.rowCount
}

async function* partsOf(
  archive: ArchiveReader,
  table: { name: string; hash: Hash; bytes: number },
  progress: () => void,
): AsyncGenerator<Buffer> {
  for (;;) {
    const next = await archive.peek()
    if (next === null || tableOfPart(next.name) !== table.name) return
    await archive.next()
    table.hash.update(next.content)
    table.bytes += next.content.length
    progress()
    yield next.content
  }
}

async function readEnd(archive: ArchiveReader): Promise<ArchiveEnd> {
  const file = await archive.next()
  if (file?.name !== END) throw archive.damaged(`${END} does not follow its tables`)
  const end = parsed(archive, file, endSchema)
  if ((await archive.next()) !== null) throw archive.damaged('something follows its end')
  return end
}

function compare(
  { archive, manifest }: OpenBackup,
  contents: ReadonlyMap<string, TableContent>,
  { end, names }: { end: ArchiveEnd; names: ReadonlySet<string> },
): void {
  for (const { name } of manifest.tables) {
    const [found, expected] = [contents.get(name), end.tables[name]]
    const isWhole = found?.sha256 === expected?.sha256 && (!names.has(name) || found?.rows === expected?.rows)
    if (!isWhole) throw archive.damaged(`the table ${name} is not what was written`)
  }
}
