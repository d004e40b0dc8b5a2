import type { OwnRetention } from '../../domain/workspace/retention.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

export interface NewImport extends OwnRetention {
  id: Uuid
  name: string
  createdAt: string
  lastCreditUnits: number
  lastTopUpAt: string | null
  welcomeLimits: boolean
  lowTold: boolean
  /** The last day (UTC, YYYY-MM-DD) whose mentions are charged. */
  settledThrough: string
  /** When it counts as stopped. */
  until: Date
}

/** A workspace that nobody can open yet. */
export async function beginImport(tx: Transaction, made: NewImport): Promise<void> {
  await tx.query(sql`
    insert into workspace (id, name, created_at, last_credit_units, last_top_up_at, welcome_limits, low_told,
      settled_through, mentions_kept_days, deliveries_kept_days, importing, deletes_at)
    values (${made.id}, ${made.name}, ${made.createdAt}, ${made.lastCreditUnits}, ${made.lastTopUpAt},
      ${made.welcomeLimits}, ${made.lowTold}, ${made.settledThrough}, ${made.mentionDays}, ${made.deliveryDays}, true,
      ${made.until})`)
}

/** False when the import counts as stopped, and may be on its way out. */
export async function goOnImporting(
  tx: Transaction,
  workspaceId: Uuid,
  { at, until }: { at: Date; until: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update workspace set deletes_at = ${until} where id = ${workspaceId} and importing and deletes_at > ${at}
    returning id`)
  return rows.length > 0
}

export async function openImported(tx: Transaction, workspaceId: Uuid, settledThrough: string): Promise<void> {
  await tx.query(sql`
    update workspace set importing = false, deletes_at = null, settled_through = ${settledThrough}
    where id = ${workspaceId}`)
}
