import type { Uuid } from '../../kernel/ids.ts'
import { UNITS_PER_CENT } from '../../kernel/money.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { thawed } from '../frozen/frozen.ts'
import { type BillingProfile, type ChargeAttempt, type ProfileRow, profileFrom } from './billing-profiles.ts'
import { placeIn, type RandomPage } from './drawn-order.ts'

/** Workspaces below their threshold, or with an abandoned attempt, in the random order of `Part`. */
export async function findRecharges(
  reader: Reader,
  at: Date,
  { order, after, limit }: RandomPage<Uuid>,
): Promise<Uuid[]> {
  const place = placeIn(order, sql`p.workspace_id::text`)
  const before = placeIn(order, sql`${after}::text`)
  const rows = await reader.query<{ workspace_id: Uuid }>(sql`
    select p.workspace_id from billing_profile p join workspace w on w.id = p.workspace_id
    where (p.auto_enabled or p.attempt_id is not null) and (${after === null}::boolean
      or (${place}, p.workspace_id) > (${before}, ${after}::uuid)) and (${dueAt(at)})
      and not w.frozen and (p.attempt_id is not null or w.deletes_at is null
        and p.auto_threshold_cents * ${UNITS_PER_CENT}::bigint > w.balance_units
        - (select coalesce(sum(u.mention_units), 0) from usage_day u
          where u.workspace_id = w.id and u.day > w.settled_through))
    order by ${place}, p.workspace_id limit ${limit}`)
  return rows.map((row) => row.workspace_id)
}

export async function lockRechargeable(tx: Transaction, workspaceId: Uuid, at: Date): Promise<BillingProfile | null> {
  const [row] = await tx.query<ProfileRow>(sql`
    select customer_id, payment_method_id, auto_enabled, auto_threshold_cents, auto_amount_cents, attempt_id, attempt,
      attempt_begun_at
    from billing_profile p where workspace_id = ${workspaceId} and (auto_enabled or attempt_id is not null)
      and (${dueAt(at)}) and ${thawed(sql`p.workspace_id`)} for update skip locked`)
  return row === undefined ? null : profileFrom(row)
}

/** An attempt without a lease; or a payment method, and no wait, for a new one. */
function dueAt(at: Date) {
  return sql`case when p.attempt_id is not null then p.attempt_held_until <= ${at}
    else p.customer_id is not null and p.payment_method_id is not null and (p.next_try_at is null
      or p.next_try_at <= ${at}) end`
}

/** Call before the request to the provider, first or repeated. The attempt is leased until `until`. */
export async function holdAttempt(
  tx: Transaction,
  workspaceId: Uuid,
  { id, order, begunAt }: ChargeAttempt,
  until: Date,
): Promise<void> {
  await tx.query(sql`
    update billing_profile set attempt_id = ${id}, attempt = ${JSON.stringify(order)}::jsonb,
      attempt_begun_at = ${begunAt}, attempt_held_until = ${until}
    where workspace_id = ${workspaceId}`)
}

export async function keepAttempt(
  tx: Transaction,
  { workspaceId, attemptId }: { workspaceId: Uuid; attemptId: Uuid },
  until: Date,
): Promise<void> {
  await tx.query(
    sql`update billing_profile set attempt_held_until = ${until} where workspace_id = ${workspaceId}
        and attempt_id = ${attemptId}`,
  )
}

/**
 * Keeps a wait, and a reason for turning recharging off, that came meanwhile. Returns the previous error; null when the
 * attempt had already ended.
 */
export async function endAttempt(
  tx: Transaction,
  { workspaceId, attemptId }: { workspaceId: Uuid; attemptId: Uuid },
  { at, error, nextTryAt }: { at: Date; error: string | null; nextTryAt: Date },
): Promise<{ error: string | null } | null> {
  const [before] = await tx.query<{ error: string | null }>(sql`
    select last_error as error from billing_profile where workspace_id = ${workspaceId}
      and attempt_id = ${attemptId} for update`)
  if (before === undefined) return null
  await tx.query(sql`
    update billing_profile set attempt_id = null, attempt = null, attempt_begun_at = null, attempt_held_until = null,
      last_run_at = ${at}, last_error = case when auto_enabled then ${error}::text else coalesce(${error}::text,
        last_error) end,
      next_try_at = greatest(next_try_at, ${nextTryAt}::timestamptz)
    where workspace_id = ${workspaceId}`)
  return before
}

export async function holdOff(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(
    sql`update billing_profile set next_try_at = greatest(next_try_at, ${at}) where workspace_id = ${workspaceId}`,
  )
}

export async function turnOff(tx: Transaction, workspaceId: Uuid, error: string): Promise<void> {
  await tx.query(
    sql`update billing_profile set auto_enabled = false, last_error = ${error} where workspace_id = ${workspaceId}
        and auto_enabled`,
  )
}
