import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { billingNotConfigured } from '../../domain/payment/fault.ts'
import type { AutoRecharge } from '../../domain/payment/top-up.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { type AutoRechargeView, readAutoRecharge } from '../../queries/payments/read-auto-recharge.ts'
import { storeAutoRecharge } from '../../store/wallet/billing-profiles.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

export type AutoRechargeChange = { [Name in keyof AutoRecharge]?: AutoRecharge[Name] | undefined }

/** Without a saved payment method it starts with the first top-up. A change allows the next attempt at once. */
export async function updateAutoRecharge(
  writing: WritingContext,
  change: AutoRechargeChange,
): Promise<AutoRechargeView | Refusal<'billing_not_configured'>> {
  const { db, clock, workspaceId, billing, payments } = writing
  if (payments === null || billing === 'unmetered') return billingNotConfigured()
  return db.transaction(async (tx) => {
    await storeAutoRecharge(tx, workspaceId, change)
    const changed = await readAutoRecharge({ ...writing, db: tx })
    const { enabled, thresholdCents, amountCents } = changed
    const data = { enabled, thresholdCents, amountCents }
    await recordAudit(tx, { workspaceId, kind: 'billing.auto_recharge_changed', target: NO_TARGET, data }, clock.now())
    return changed
  })
}
