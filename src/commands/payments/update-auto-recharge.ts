import { billingNotConfigured } from '../../domain/payment/fault.ts'
import type { AutoRecharge } from '../../domain/payment/top-up.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { type AutoRechargeView, readAutoRecharge } from '../../queries/payments/read-auto-recharge.ts'
import { storeAutoRecharge } from '../../store/payments.ts'
import type { Writing } from '../writing.ts'

export type AutoRechargeChange = { [Name in keyof AutoRecharge]?: AutoRecharge[Name] | undefined }

/**
 * Chooses when and how much is paid in by itself. It may be turned on before anything can be charged, and then begins with
 * the first top-up. After a failure a change lets the next attempt be made at once.
 */
export async function updateAutoRecharge(writing: Writing, change: AutoRechargeChange): Promise<AutoRechargeView | Refusal<'billing_not_configured'>> {
  const { db, workspaceId, billing, payments } = writing
  if (payments === null || billing === 'unmetered') return billingNotConfigured()
  return db.transaction(async (tx) => {
    await storeAutoRecharge(tx, workspaceId, change)
    return readAutoRecharge({ ...writing, db: tx })
  })
}
