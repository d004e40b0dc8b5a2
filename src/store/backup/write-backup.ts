import { createHash } from 'node:crypto'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { StartError } from '../../kernel/start-error.ts'
import { type ArchiveWriter, createArchive } from './archive-writer.ts'
import {
  type ArchiveEnd,
  END,
  FORMAT,
  KEY,
  MANIFEST,
  type Manifest,
  PART_BYTES,
  partName,
  type TableContent,
} from './format.ts'
import { LEFT_OUT } from './left-out.ts'
import { type Connection, withSession } from './session.ts'
import { type BackupTable, quoted, readTables } from './tables.ts'

export interface BackupProgress {
  table: string
  /** From 0 to 1, by the sizes of the tables. */
  share: number
  /** Written so far, compressed. */
  bytes: number
}

export interface BackupOptions {
  connection: Connection
  file: string
  /** The version of Earshot. */
  version: string
  at: Date
  /** The key of the installation, sealed by a passphrase; null leaves it out. */
  sealedKey: object | null
  progress(done: BackupProgress): void
  signal: AbortSignal
  /** Called once the backup sees one moment, before anything is read. False gives it up. */
  begin?(client: pg.ClientBase): Promise<boolean>
  /** Called when the file is whole, before the session and its locks end. */
  written?(done: BackupDone): Promise<void>
}

export interface BackupDone {
  tables: number
  rows: number
  /** Of the file. */
  bytes: number
}

/**
 * Writes the database as it is at one moment, while others use it. Only changes of the schema wait, and truncations.
 * Null when `begin` gave it up.
 */
export function writeBackup(options: BackupOptions): Promise<BackupDone | null> {
  const { connection, file, at, signal } = options
  return withSession(connection, signal, async (client) => {
    const tables = await freeze(client)
    if (options.begin && !(await options.begin(client))) return null
    const manifest = await describe(client, tables, options)
    const { result, bytes } = await createArchive(file, at, async (archive) => {
      await archive.add(MANIFEST, asJson(manifest))
      if (options.sealedKey) await archive.add(KEY, asJson(options.sealedKey))
      const end = await writeTables(client, tables, archive, options.progress)
      await archive.add(END, asJson(end))
      return Object.values(end.tables).reduce((sum, { rows }) => sum + rows, 0)
    })
    const done = { tables: tables.length, rows: result, bytes }
    await options.written?.(done)
    return done
  })
}

/**
 * Locks before the first statement that sees anything: a truncation is seen by snapshots that are older than it. Then
 * reads the tables once more, since a migration may have been waited for.
 */
async function freeze(client: pg.Client): Promise<BackupTable[]> {
  const locked = new Set((await tablesToCopy(client)).map(({ name }) => name))
  if (locked.size === 0) throw new StartError('The database is empty: there is nothing to back up.')
  await client.query('begin isolation level repeatable read, read only')
  await client.query(`lock table ${quoted([...locked, 'kysely_migration'])} in access share mode`)
  const tables = await tablesToCopy(client)
  if (tables.every(({ name }) => locked.has(name))) return tables
  // A table that was made meanwhile is not locked.
  await client.query('rollback')
  return await freeze(client)
}

async function tablesToCopy(client: pg.Client): Promise<BackupTable[]> {
  return (await readTables(client)).filter(({ name }) => !(name in LEFT_OUT))
}

async function describe(client: pg.Client, tables: readonly BackupTable[], options: BackupOptions): Promise<Manifest> {
  const { rows } = await client.query<Pick<Manifest, 'server' | 'migrations' | 'keySample'>>(`
    select current_setting('server_version') as server, (select sealed from key_check) as "keySample",
      (select array_agg(name::text order by name) from kysely_migration) as migrations`)
  const { version, at } = options
  return {
    ...{ product: 'earshot', format: FORMAT, version, createdAt: at.toISOString() },
    ...rows[0]!,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  }
}

async function writeTables(
  client: pg.Client,
  tables: readonly BackupTable[],
  archive: ArchiveWriter,
  progress: BackupOptions['progress'],
): Promise<ArchiveEnd> {
  const whole = tables.reduce((sum, table) => sum + bytesOf(table), 0)
  let before = 0
  const contents: [string, TableContent][] = []
  for (const table of tables) {
    const content = await writeTable(client, table, archive, (text) => {
      const share = (before + Math.min(text, bytesOf(table))) / Math.max(1, whole)
      progress({ table: table.name, share, bytes: archive.bytes })
    })
    before += bytesOf(table)
    contents.push([table.name, content])
  }
  return { tables: Object.fromEntries(contents), identities: await readIdentities(client, tables) }
}

function bytesOf({ parts }: BackupTable): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function writeTable(
  client: pg.Client,
  { name, columns, parts }: BackupTable,
  archive: ArchiveWriter,
  progress: (bytes: number) => void,
): Promise<TableContent> {
  const hash = createHash('sha256')
  const content = { rows: 0, bytes: 0 }
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let number = 0
  const flush = async () => {
    if (waitingBytes === 0) return
    number += 1
    const part = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    await archive.add(partName(name, number), part)
    progress(content.bytes)
  }
  for (const part of parts) {
    const copy = client.query(copyTo(`copy ${quoted([part.name])} (${quoted(columns)}) to stdout`))
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      hash.update(chunk)
      waiting.push(chunk)
      waitingBytes += chunk.length
      content.bytes += chunk.length
      if (waitingBytes >= PART_BYTES) await flush()
    }
    // The stream ends before the server has said how many rows it held.
    await client.query('select')
    content.rows += copy.rowCount
  }
  await flush()
  return { ...content, sha256: hash.digest('hex') }
}

/** Sequences are not frozen, so theirs is the last value or a later one. */
async function readIdentities(client: pg.Client, tables: readonly BackupTable[]): Promise<ArchiveEnd['identities']> {
  const identities: ArchiveEnd['identities'] = []
  for (const { name: table, identities: columns } of tables)
    for (const column of columns) {
      const { rows: named } = await client.query<{ sequence: string }>(
        'select pg_get_serial_sequence($1, $2) as sequence',
        [pg.escapeIdentifier(table), column],
      )
      const { rows } = await client.query<{ last: string }>(
        `select last_value::text as last from ${named[0]!.sequence} where is_called`,
      )
      if (rows[0]) identities.push({ table, column, last: rows[0].last })
    }
  return identities
}

function asJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

/** Held to the end of the backup, also when its process dies. False when another process has it. */
export async function takeScheduleLock(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('earshot backup')) as taken",
  )
  return rows[0]!.taken
}
