import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** The progress of the hourly checks, as ends of full hours. */
export interface Look {
  begun: Date
  /** Covers all workspaces; null before the first check has. */
  until: Date | null
  collectingSince: Date | null
}

/** A check further ahead than this comes from a wrong clock. */
const AHEAD_AT_MOST_MS = DAY_MS

/** Null also when the stored check lies more than a day ahead of `until`. */
export async function readLook(reader: Reader, until: Date): Promise<Look | null> {
  const [look] = await reader.query<Look>(
    sql`select begun, until, collecting_since as "collectingSince" from attention_look
        where begun <= ${plus(until, AHEAD_AT_MOST_MS)}`,
  )
  return look ?? null
}

/** Whether this check is neither over nor overtaken by a later one. */
export function isDue(look: Look | null, until: Date): boolean {
  return look === null || (look.begun <= until && (look.until === null || look.until < until))
}

/**
 * Begins or resumes a check; returns the progress before it, or null when none is due. After a long pause it records
 * that nothing was collected.
 */
export async function beginLook(tx: Transaction, until: Date, at: Date): Promise<Look | null> {
  await lockLook(tx)
  const last = await readLook(tx, until)
  if (!isDue(last, until)) return null
  const wasOff = last !== null && until.getTime() - last.begun.getTime() > ATTENTION_RULES.offAfterMs
  const look: Look = {
    begun: until,
    until: last?.until ?? null,
    collectingSince: wasOff ? at : (last?.collectingSince ?? null),
  }
  await tx.query(sql`
    insert into attention_look (begun, until, collecting_since)
      values (${look.begun}, ${look.until}, ${look.collectingSince})
    on conflict (only_one) do update set begun = excluded.begun, until = excluded.until,
      collecting_since = excluded.collecting_since`)
  return look
}

/** Locks checks until the transaction ends, because two at once would both open an item. False as in `isDue`. */
export async function holdLook(tx: Transaction, until: Date): Promise<boolean> {
  await lockLook(tx)
  return isDue(await readLook(tx, until), until)
}

export async function endLook(tx: Transaction, until: Date): Promise<void> {
  await tx.query(sql`update attention_look set until = ${until} where begun = ${until}`)
}

async function lockLook(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('attention look', 0))`)
}

export async function nextWorkspaces(reader: Reader, after: Uuid, limit: number): Promise<Uuid[]> {
  return (
    await reader.query<{ id: Uuid }>(sql`select id from workspace where id > ${after} order by id limit ${limit}`)
  ).map((row) => row.id)
}
