import { AUTO_RECHARGE_DEFAULT, type AutoRecharge } from '../../domain/payment/top-up.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'

export interface AutoRechargeView extends AutoRecharge {
  /** Whether a stored payment method can be charged: a top-up was paid before. */
  available: boolean
  lastRunAt: string | null
  /** Null after a success or changed settings. */
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

export async function readAutoRecharge({
  db,
  workspaceId,
  payments,
}: Pick<QueryContext, 'db' | 'workspaceId' | 'payments'>): Promise<AutoRechargeView> {
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
