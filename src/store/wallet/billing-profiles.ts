import { MANAGING_ROLES } from '../../domain/member/team.ts'
import { AFTER_SUCCESS_MS } from '../../domain/payment/recharge.ts'
import { AUTO_RECHARGE_DEFAULT, type AutoRecharge } from '../../domain/payment/top-up.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/** What a recharge asked the payment provider for, kept as it was said, so that it can be said again. */
export interface RechargeOrder {
  customerId: string
  paymentMethodId: string
  amountCents: number
  receiptEmail: string | null
}

/** A recharge whose outcome is not known. */
export interface Attempt {
  id: Uuid
  order: RechargeOrder
  begunAt: Date
}

/** How a workspace pays. */
export interface BillingProfile extends AutoRecharge {
  customerId: string | null
  paymentMethodId: string | null
  attempt: Attempt | null
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

/** With something else to charge, a failure need not be waited out. */
const FAILURE_FORGOTTEN = sql`next_try_at = case when last_error is null then next_try_at end, last_error = null`

/**
 * Whoever chooses anew waits neither for a failure nor because money went back; yet a card is not charged again sooner
 * than is promised.
 */
const CHOSEN_ANEW = sql`
  next_try_at = case when last_error is null and last_run_at is not null and next_try_at is not null
    then least(next_try_at, last_run_at + ${AFTER_SUCCESS_MS}::int * interval '1 millisecond') end, last_error = null`

/** Makes the profile of a workspace where there is none, with the defaults. Locks nothing of one that is there. */
export async function ensureProfile(tx: Transaction, workspaceId: Uuid): Promise<void> {
  const { thresholdCents, amountCents } = AUTO_RECHARGE_DEFAULT
  await tx.query(sql`
    insert into billing_profile (workspace_id, auto_threshold_cents, auto_amount_cents)
      values (${workspaceId}, ${thresholdCents}, ${amountCents})
    on conflict (workspace_id) do nothing`)
}

/**
 * Forgets what a person has paid with who manages the workspace no more, and who the workspace was at the provider if
 * that was this person. It is not charged any more; recharging ends for that reason until somebody chooses it again.
 * What is saved of somebody who still manages the workspace stays and goes on being charged, with the customer under
 * whom it was saved, whoever that was: the next top-up makes it that of the owner who is billed then. Answers whether
 * recharging was on and has ended.
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

/**
 * What a customer paid with, and whose it is; null where that was not said: then it is that of the person who is the
 * customer.
 */
export interface PaidWith {
  customerId: string
  paymentMethodId: string
  payerId: Uuid | null
  at: Date
}

/**
 * Keeps what the customer paid with, unless that was before what is kept, or whose it is does not manage the workspace
 * any more.
 */
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

/** Changes what is chosen; what is not given stays. The next recharge need not wait when that is really a change. */
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

/** Forgets something that cannot be charged any more, unless something else has come in its place. */
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
