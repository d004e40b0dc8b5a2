import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export interface SizeSample {
  at: Date
  bytes: number
}

const APART_MS = 6 * HOUR_MS
const KEPT_MS = 14 * DAY_MS

export async function readDatabaseBytes(reader: Reader): Promise<number> {
  const [row] = await reader.query<{ bytes: number }>(sql`select pg_database_size(current_database())::bigint as bytes`)
  return row!.bytes
}

/** Keeps at most four samples a day, for two weeks. */
export async function noteDatabaseSize(tx: Transaction, { at, bytes }: SizeSample): Promise<void> {
  await tx.query(sql`
    insert into database_size (at, bytes) select ${at}::timestamptz, ${bytes}::bigint
    where not exists (select from database_size where at > ${plus(at, -APART_MS)}) on conflict do nothing`)
  await tx.query(sql`delete from database_size where at < ${plus(at, -KEPT_MS)}`)
}

/** Oldest first. */
export function readSizes(reader: Reader): Promise<SizeSample[]> {
  return reader.query<SizeSample>(sql`select at, bytes from database_size order by at`)
}
