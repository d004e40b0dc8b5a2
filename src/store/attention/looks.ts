import { ATTENTION_RULES } from '../../domain/attention/kinds.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

/** How far it was looked, as ends of full hours. */
export interface Look {
  /** For which a look was begun last. */
  begun: Date
  /** Until when it was looked everywhere; null before the first look is over. */
  until: Date | null
  /** When it was looked again after the service had been off for long; null while it never was. */
  collectingSince: Date | null
}

/** A look that lies further ahead than this comes from a clock that was wrong. */
const AHEAD_AT_MOST_MS = DAY_MS

/**
 * Null before the first look. One that lies more than a day ahead of the hour that is to be looked at counts as none.
 */
export async function readLook(reader: Reader, until: Date): Promise<Look | null> {
  const [look] = await reader.query<Look>(
    sql`select begun, until, collecting_since as "collectingSince" from attention_look
        where begun <= ${plus(until, AHEAD_AT_MOST_MS)}`,
  )
  return look ?? null
}

/**
 * Whether a look at the hours until this one is to be taken, after this one: neither is it over, nor was a later one
 * begun.
 */
export function isDue(look: Look | null, until: Date): boolean {
  return look === null || (look.begun <= until && (look.until === null || look.until < until))
}

/**
 * Begins a look, or takes one up that was begun and did not end; answers how far it was looked before, or null when it
 * is not to be taken. One that comes long after the last remembers that nothing was collected meanwhile.
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

/**
 * Lets looks take turns until the transaction ends: two at once would both open an item. False when this one is over or
 * was overtaken meanwhile.
 */
export async function holdLook(tx: Transaction, until: Date): Promise<boolean> {
  await lockLook(tx)
  return isDue(await readLook(tx, until), until)
}

/** It was looked everywhere, unless a later look has been begun. */
export async function endLook(tx: Transaction, until: Date): Promise<void> {
  await tx.query(sql`update attention_look set until = ${until} where begun = ${until}`)
}

async function lockLook(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('attention look', 0))`)
}

/** The next workspaces after this one, in the order of their ids. */
export async function nextWorkspaces(reader: Reader, after: Uuid, limit: number): Promise<Uuid[]> {
  return (
    await reader.query<{ id: Uuid }>(sql`select id from workspace where id > ${after} order by id limit ${limit}`)
  ).map((row) => row.id)
}
