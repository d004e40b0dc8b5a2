import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** The progress of the hourly checks, as ends of full hours. */
export interface CheckProgress {
  begun: Date
  /** Covers all workspaces; null before the first check has. */
  until: Date | null
  collectingSince: Date | null
}

/** A check further ahead than this comes from a wrong clock. */
const AHEAD_AT_MOST_MS = DAY_MS

/** Null also when the stored check lies more than a day ahead of `until`. */
export async function readCheck(reader: Reader, until: Date): Promise<CheckProgress | null> {
  const [check] = await reader.query<CheckProgress>(
    sql`select begun, until, collecting_since as "collectingSince" from attention_look
        where begun <= ${plus(until, AHEAD_AT_MOST_MS)}`,
  )
  return check ?? null
}

/** Whether this check is neither over nor overtaken by a later one. */
export function isDue(check: CheckProgress | null, until: Date): boolean {
  return check === null || (check.begun <= until && (check.until === null || check.until < until))
}

/**
 * Begins or resumes a check; returns the progress before it, or null when none is due. After a long pause it records
 * that nothing was collected.
 */
export async function beginCheck(tx: Transaction, until: Date, at: Date): Promise<CheckProgress | null> {
  await lockChecks(tx)
  const last = await readCheck(tx, until)
  if (!isDue(last, until)) return null
  const wasOff = last !== null && until.getTime() - last.begun.getTime() > ATTENTION_RULES.offAfterMs
  const check: CheckProgress = {
    begun: until,
    until: last?.until ?? null,
    collectingSince: wasOff ? at : (last?.collectingSince ?? null),
  }
  await tx.query(sql`
    insert into attention_look (begun, until, collecting_since)
      values (${check.begun}, ${check.until}, ${check.collectingSince})
    on conflict (only_one) do update set begun = excluded.begun, until = excluded.until,
      collecting_since = excluded.collecting_since`)
  return check
}

/** Locks checks until the transaction ends, because two at once would both open an item. False as in `isDue`. */
export async function holdCheck(tx: Transaction, until: Date): Promise<boolean> {
  await lockChecks(tx)
  return isDue(await readCheck(tx, until), until)
}

export async function endCheck(tx: Transaction, until: Date): Promise<void> {
  await tx.query(sql`update attention_look set until = ${until} where begun = ${until}`)
}

async function lockChecks(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('attention look', 0))`)
}

/** The oldest that is not being deleted or imported, which whoever set the installation up made; null for none. */
export async function firstWorkspace(reader: Reader): Promise<Uuid | null> {
  const [first] = await reader.query<{ id: Uuid }>(
    sql`select id from workspace where deletes_at is null order by id limit 1`,
  )
  return first?.id ?? null
}

export async function nextWorkspaces(reader: Reader, after: Uuid, limit: number): Promise<Uuid[]> {
  return (
    await reader.query<{ id: Uuid }>(sql`select id from workspace where id > ${after} order by id limit ${limit}`)
  ).map((row) => row.id)
}
