import { SECOND_MS } from '../../kernel/clock.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/**
 * The advisory locks of transactions that store mentions: these two numbers and no others of the service's locks come
 * as a pair.
 */
const LOCK_CLASS = 2_011
/** Locks name seconds, which fit four bytes from this instant on for 68 years. */
const FIRST_MS = Date.UTC(2020, 0, 1)

/**
 * Says until the transaction ends, and for everybody to see, that mentions are being stored which were made at `at` or
 * later. Whoever calls it makes their ids from a time that is read after it has answered.
 */
export async function holdIngest(tx: Transaction, at: Date): Promise<void> {
  await tx.run('ingest-in-hand', 'select pg_advisory_xact_lock_shared($1::int, $2::int)', [LOCK_CLASS, secondOf(at)])
}

/** Marks the place to which `undoIngest` goes back. */
export async function beginIngest(tx: Transaction): Promise<void> {
  await tx.run('ingest-savepoint', 'savepoint ingest', [])
}

export async function undoIngest(tx: Transaction): Promise<void> {
  await tx.run('ingest-undo', 'rollback to savepoint ingest', [])
}

/** When the earliest of the mentions was made that are being stored at this moment; null when none are. */
export async function earliestInHand(reader: Reader): Promise<Date | null> {
  const [row] = await reader.query<{ second: number | null }>(sql`
    select min(objid::bigint) as second from pg_locks
    where locktype = 'advisory' and classid = ${LOCK_CLASS}::int::oid and objsubid = 2 and database = (select oid
      from pg_database where datname = current_database())`)
  return row!.second === null ? null : new Date(FIRST_MS + row!.second * SECOND_MS)
}

function secondOf(at: Date): number {
  return Math.max(0, Math.floor((at.getTime() - FIRST_MS) / SECOND_MS))
}
