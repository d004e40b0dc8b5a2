import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { AFTER_SUCCESS_MS } from '../../domain/payment/recharge.ts'
import { AUTO_RECHARGE_DEFAULT, type AutoRecharge } from '../../domain/payment/top-up.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/** The exact request to the provider, so that a retry can repeat it. */
export interface RechargeOrder {
  customerId: string
  paymentMethodId: string
  amountCents: number
  receiptEmail: string | null
}

export interface ChargeAttempt {
  id: Uuid
  order: RechargeOrder
  begunAt: Date
}

export interface BillingProfile extends AutoRecharge {
  customerId: string | null
  paymentMethodId: string | null
  attempt: ChargeAttempt | null
}

export interface ProfileRow {
  customer_id: string | null
  payment_method_id: string | null
  auto_enabled: boolean
  auto_threshold_cents: number
  auto_amount_cents: number
  attempt_id: Uuid | null
  attempt: RechargeOrder | null
  attempt_begun_at: Date | null
}

/** A new payment method need not wait after a failure. */
const FAILURE_FORGOTTEN = sql`next_try_at = case when last_error is null then next_try_at end, last_error = null`

/** A new choice waits neither after a failure nor after a refund, yet a card is not charged sooner than promised. */
const CHOSEN_ANEW = sql`
  next_try_at = case when last_error is null and last_run_at is not null and next_try_at is not null
    then least(next_try_at, last_run_at + ${AFTER_SUCCESS_MS}::int * interval '1 millisecond') end, last_error = null`

export async function ensureProfile(tx: Transaction, workspaceId: Uuid): Promise<void> {
  const { thresholdCents, amountCents } = AUTO_RECHARGE_DEFAULT
  await tx.query(sql`
    insert into billing_profile (workspace_id, auto_threshold_cents, auto_amount_cents)
      values (${workspaceId}, ${thresholdCents}, ${amountCents})
    on conflict (workspace_id) do nothing`)
}

/**
 * Deletes the payment method of a person who no longer manages the workspace, and their customer; recharging stops
 * until chosen again. A manager's payment method stays, and is charged under its customer, until the next top-up makes
 * a customer of the billed owner. Returns whether recharging was on and has ended.
 */
export async function forgetPayer(tx: Transaction, workspaceId: Uuid, userId: Uuid, error: string): Promise<boolean> {
  const isTheirs = sql`customer_id in (select c.customer_id from billing_customer c
      where c.workspace_id = ${workspaceId} and c.user_id = ${userId})`
  const isOfManager = sql`exists (
    select from membership m where m.workspace_id = ${workspaceId} and m.user_id = payment_method_user_id
      and m.role = any(${MANAGING_ROLES}::text[]))`
  const [before] = await tx.query<{ auto_enabled: boolean }>(
    sql`select auto_enabled from billing_profile where workspace_id = ${workspaceId} for update`,
  )
  const forgotten = await tx.query(sql`
    update billing_profile set payment_method_id = null, payment_method_at = null, payment_method_user_id = null,
      customer_id = case when ${isTheirs} then null else customer_id end,
      auto_enabled = false, last_error = case when auto_enabled then ${error}::text else last_error end
    where workspace_id = ${workspaceId} and (payment_method_user_id = ${userId} or (${isTheirs} and not ${isOfManager}))
      returning 1`)
  return forgotten.length > 0 && before!.auto_enabled
}

/** A null payer means the customer's person. */
export interface PaidWith {
  customerId: string
  paymentMethodId: string
  payerId: Uuid | null
  at: Date
}

/** No effect when the stored method is newer, or the payer no longer manages the workspace. */
export async function storePaymentMethod(
  tx: Transaction,
  workspaceId: Uuid,
  { customerId, paymentMethodId, payerId, at }: PaidWith,
): Promise<void> {
  await tx.query(sql`
    update billing_profile p set payment_method_id = ${paymentMethodId}, payment_method_at = ${at},
      payment_method_user_id = m.user_id, ${FAILURE_FORGOTTEN}
    from billing_customer c join membership m on m.workspace_id = c.workspace_id
      and m.user_id = coalesce(${payerId}::uuid, c.user_id) and m.role = any(${MANAGING_ROLES}::text[])
    where c.workspace_id = ${workspaceId} and c.customer_id = ${customerId}
      and p.workspace_id = c.workspace_id and p.customer_id = c.customer_id and (p.payment_method_at is null
        or p.payment_method_at < ${at})`)
}

/** Undefined fields stay. An actual change lifts the wait of the next recharge. */
export async function storeAutoRecharge(
  tx: Transaction,
  workspaceId: Uuid,
  change: { [Name in keyof AutoRecharge]?: AutoRecharge[Name] | undefined },
): Promise<void> {
  await ensureProfile(tx, workspaceId)
  const enabled = sql`coalesce(${change.enabled ?? null}::boolean, auto_enabled)`
  const thresholdCents = sql`coalesce(${change.thresholdCents ?? null}::int, auto_threshold_cents)`
  const amountCents = sql`coalesce(${change.amountCents ?? null}::int, auto_amount_cents)`
  await tx.query(sql`
    update billing_profile set auto_enabled = ${enabled}, auto_threshold_cents = ${thresholdCents},
      auto_amount_cents = ${amountCents}, ${CHOSEN_ANEW}
    where workspace_id = ${workspaceId}
      and (auto_enabled, auto_threshold_cents, auto_amount_cents) is distinct
        from (${enabled}, ${thresholdCents}, ${amountCents})`)
}

export async function forgetPaymentMethod(tx: Transaction, workspaceId: Uuid, paymentMethodId: string): Promise<void> {
  await tx.query(sql`
    update billing_profile set payment_method_id = null, payment_method_at = null, payment_method_user_id = null
    where workspace_id = ${workspaceId} and payment_method_id = ${paymentMethodId}`)
}

export function profileFrom(row: ProfileRow): BillingProfile {
  return {
    customerId: row.customer_id,
    paymentMethodId: row.payment_method_id,
    enabled: row.auto_enabled,
    thresholdCents: row.auto_threshold_cents,
    amountCents: row.auto_amount_cents,
    attempt:
      row.attempt_id === null ? null : { id: row.attempt_id, order: row.attempt!, begunAt: row.attempt_begun_at! },
  }
}
