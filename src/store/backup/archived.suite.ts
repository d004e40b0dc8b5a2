import pg from 'pg'
import { readBackup } from './read-backup.ts'
import { type Restored, restoreBackup } from './restore-backup.ts'
import { type BackupDone, type BackupOptions, writeBackup } from './write-backup.ts'

/** Nobody follows it, and nobody ends it. */
export const silent = () => ({ progress: () => undefined, signal: new AbortController().signal })

export const AT = new Date('2026-11-27T09:30:00.000Z')

export function backUp(
  connection: string,
  file: string,
  change: Partial<BackupOptions> = {},
): Promise<BackupDone | null> {
  return writeBackup({
    ...{ connection, file, version: '1.2.3', at: AT, sealedKey: null },
    ...silent(),
    ...change,
  })
}

export function restoreTo(connection: string, file: string): Promise<Restored> {
  return readBackup(file, (backup) => restoreBackup({ ...silent(), connection, backup, beforeCommit: () => undefined }))
}

/** A digest of the rows of every table, by name. */
export async function digests(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  const found = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as digest
       from ${pg.escapeIdentifier(name)} t`,
    )
    found.set(name, rows[0]!.digest)
  }
  return found
}

export async function onClient<Result>(
  connection: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  try {
    await client.query("set timezone = 'UTC'")
    return await work(client)
  } finally {
    await client.end()
  }
}

export const digestsOf = (connection: string) => onClient(connection, digests)
