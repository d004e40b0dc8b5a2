import { SECOND_MS } from '../../kernel/clock.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** No other advisory lock of the service has two keys. */
const LOCK_CLASS = 2_011
/** Keys are seconds from here, which fit four bytes for 68 years. */
const FIRST_MS = Date.UTC(2020, 0, 1)

/**
 * Shows until the transaction ends that mentions made at `at` or later are being stored. Read the ids' time after this
 * returns.
 */
export async function holdIngest(tx: Transaction, at: Date): Promise<void> {
  await tx.run('ingest-in-hand', 'select pg_advisory_xact_lock_shared($1::int, $2::int)', [LOCK_CLASS, secondOf(at)])
}

export async function beginIngest(tx: Transaction): Promise<void> {
  await tx.run('ingest-savepoint', 'savepoint ingest', [])
}

export async function undoIngest(tx: Transaction): Promise<void> {
  await tx.run('ingest-undo', 'rollback to savepoint ingest', [])
}

export async function earliestInFlight(reader: Reader): Promise<Date | null> {
  const [row] = await reader.query<{ second: number | null }>(
    sql`
      select min(objid::bigint) as second from pg_locks
      where locktype = 'advisory' and classid = ${LOCK_CLASS}::int::oid and objsubid = 2 and database = (select oid
        from pg_database where datname = current_database())`,
    { atPrimary: true },
  )
  return row!.second === null ? null : new Date(FIRST_MS + row!.second * SECOND_MS)
}

function secondOf(at: Date): number {
  return Math.max(0, Math.floor((at.getTime() - FIRST_MS) / SECOND_MS))
}
