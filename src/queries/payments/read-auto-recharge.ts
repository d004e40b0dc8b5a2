import { AUTO_RECHARGE_DEFAULT, type AutoRecharge } from '../../domain/payment/top-up.ts'
import { sql } from '../../store/database.ts'
import type { Reading } from '../reading.ts'

/** The auto-recharge of a workspace as callers see it. */
export interface AutoRechargeView extends AutoRecharge {
  /** True when there is something that can be charged without the person: a top-up has been paid before. */
  available: boolean
  lastRunAt: string | null
  /** Why the last one came to nothing; null when it did not, or settings changed since. */
  lastError: string | null
}

interface Row {
  available: boolean
  enabled: boolean
  threshold_cents: number
  amount_cents: number
  last_run_at: Date | null
  last_error: string | null
}

/** What is chosen and how it fares; the defaults before anybody has chosen. */
export async function readAutoRecharge({
  db,
  workspaceId,
  payments,
}: Pick<Reading, 'db' | 'workspaceId' | 'payments'>): Promise<AutoRechargeView> {
  const [row] = await db.query<Row>(sql`
    select customer_id is not null and payment_method_id is not null as available, auto_enabled as enabled,
      auto_threshold_cents as threshold_cents,
      auto_amount_cents as amount_cents, last_run_at, last_error
    from billing_profile where workspace_id = ${workspaceId}`)
  if (row === undefined) return { available: false, ...AUTO_RECHARGE_DEFAULT, lastRunAt: null, lastError: null }
  return {
    available: payments !== null && row.available,
    enabled: row.enabled,
    thresholdCents: row.threshold_cents,
    amountCents: row.amount_cents,
    lastRunAt: row.last_run_at?.toISOString() ?? null,
    lastError: row.last_error,
  }
}
