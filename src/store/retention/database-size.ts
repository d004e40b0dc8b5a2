import type { SizeSample } from '../../domain/storage/disk-forecast.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

const KEPT_MS = 14 * DAY_MS

export async function readDatabaseBytes(reader: Reader): Promise<number> {
  const [row] = await reader.query<{ bytes: number }>(sql`select pg_database_size(current_database())::bigint as bytes`)
  return row!.bytes
}

/** Samples are kept for two weeks. */
export async function noteDatabaseSize(tx: Transaction, { at, bytes, freeBytes }: SizeSample): Promise<void> {
  await tx.query(sql`
    insert into database_size (at, bytes, free_bytes) values (${at}, ${bytes}, ${freeBytes}) on conflict do nothing`)
  await tx.query(sql`delete from database_size where at < ${plus(at, -KEPT_MS)}`)
}

/** Oldest first. */
export function readSizes(reader: Reader): Promise<SizeSample[]> {
  return reader.query<SizeSample>(sql`select at, bytes, free_bytes as "freeBytes" from database_size order by at`)
}
