import { type Reader, sql, type Transaction } from '../database.ts'

/** How the schedule of backups fares; one row for all processes. */
export interface BackupState {
  /** The end of the last run. */
  triedAt: Date
  succeededAt: Date | null
  file: string | null
  bytes: number | null
  /** Why the last run failed; null when it succeeded. */
  error: string | null
}

/** Null before the first run. */
export async function readBackupState(reader: Reader): Promise<BackupState | null> {
  const [row] = await reader.query<BackupState>(sql`
    select tried_at as "triedAt", succeeded_at as "succeededAt", file, bytes, error from scheduled_backup`)
  return row ?? null
}

export async function noteBackup(
  tx: Transaction,
  { file, bytes, at }: { file: string; bytes: number; at: Date },
): Promise<void> {
  await tx.query(sql`
    insert into scheduled_backup (tried_at, succeeded_at, file, bytes) values (${at}, ${at}, ${file}, ${bytes})
    on conflict (one) do update set tried_at = excluded.tried_at, succeeded_at = excluded.succeeded_at,
      file = excluded.file, bytes = excluded.bytes, error = null`)
}

export async function noteFailedBackup(tx: Transaction, { error, at }: { error: string; at: Date }): Promise<void> {
  await tx.query(sql`
    insert into scheduled_backup (tried_at, error) values (${at}, ${error})
    on conflict (one) do update set tried_at = excluded.tried_at, error = excluded.error`)
}
