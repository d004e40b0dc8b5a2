import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { LedgerKind } from '../../domain/wallet/ledger.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { toCents, units } from '../../kernel/money.ts'
import { excerpt } from '../../kernel/text.ts'
import { type Statement, sql } from '../../store/database.ts'
import { pageOf, readCursorText } from '../cursor.ts'
import type { QueryContext } from '../reading.ts'

/** Amounts in whole cents, each rounded once. */
export interface LedgerLine {
  id: Id<'led'>
  kind: LedgerKind
  /** Negative for a debit. */
  amountCents: number
  /** Including this entry. */
  balanceCents: number
  /** The UTC day paid for; null unless a debit. */
  day: string | null
  /** Keywords or mentions paid for; null unless a debit. */
  units: number | null
  note: string | null
  createdAt: string
}

export interface LedgerPage {
  data: LedgerLine[]
  nextCursor: string | null
}

/** Null means all. UTC days, included. */
export interface LedgerSearch {
  kinds: readonly LedgerKind[] | null
  from: string | null
  to: string | null
}

/** Characters of a note. */
export const NOTE_MAX = 200
const SORT = 'ledger'

interface Row {
  id: Uuid
  kind: LedgerKind
  amount_units: number
  balance_units: number
  day: string | null
  units: number | null
  note: string | null
  created_at: Date
}

/** Latest first: each balance follows from the entry below. */
export async function listLedger(
  reading: QueryContext,
  { limit, cursor, ...search }: LedgerSearch & { limit: number; cursor: string | null },
): Promise<LedgerPage | Refusal<'invalid_cursor' | 'not_found'>> {
  const after = cursor === null ? null : await placeOf(reading, cursor)
  if (isRefusal(after)) return after
  const rows = await reading.db.query<Row>(sql`
    select id, kind, amount_units, balance_units, day, units, note, created_at from ledger_entry
    where workspace_id = ${reading.workspaceId} and ${
      after === null
        ? sql`true`
        : sql`place <
        ${after}`
    }
      and ${conditionOf(search)} order by place desc limit ${limit + 1}`)
  const { shown, nextCursor } = pageOf(rows, limit, SORT)
  return { data: shown.map(lineFromRow), nextCursor }
}

function conditionOf({ kinds, from, to }: LedgerSearch): Statement<unknown> {
  const conditions = [sql`true`]
  if (kinds !== null) conditions.push(sql`kind = any(${kinds}::text[])`)
  if (from !== null) conditions.push(sql`${DAY} >= ${from}::date`)
  if (to !== null) conditions.push(sql`${DAY} <= ${to}::date`)
  return sql.join(conditions, sql` and `)
}

/** The day paid for, or the booking day of other entries. */
const DAY = sql`coalesce(day, (created_at at time zone 'UTC')::date)`

function lineFromRow(row: Row): LedgerLine {
  return {
    id: toId('led', row.id),
    kind: row.kind,
    amountCents: toCents(units(row.amount_units)),
    balanceCents: toCents(units(row.balance_units)),
    day: row.day,
    units: row.units,
    note: row.note === null ? null : excerpt(row.note, NOTE_MAX),
    createdAt: row.created_at.toISOString(),
  }
}

async function placeOf(
  { db, workspaceId }: QueryContext,
  cursor: string,
): Promise<number | Refusal<'invalid_cursor' | 'not_found'>> {
  const id = readCursorText(SORT, cursor)
  if (id === null) return refuse('invalid_cursor', 'The cursor cannot be read or belongs to another sort')
  const [entry] = await db.query<{ place: number }>(
    sql`select place from ledger_entry where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return entry?.place ?? refuse('not_found', 'The entry at this cursor is gone; start again without a cursor')
}
