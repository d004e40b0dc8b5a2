import { MANAGING_ROLES } from '../../domain/member/team.ts'
import type { Refunded } from '../../domain/payment/corrections.ts'
import { AFTER_SUCCESS_MS } from '../../domain/payment/recharge.ts'
import { AUTO_RECHARGE_DEFAULT, type AutoRecharge } from '../../domain/payment/top-up.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { UNITS_PER_CENT } from '../../kernel/money.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'

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

interface ProfileRow {
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

/** A workspace at the provider. */
export interface Customer {
  id: string
  /** Whose it is, and the address that the provider has of them; null where that is not known. */
  userId: Uuid | null
  email: string | null
}

/** Who the workspace is at the provider at present; null when it has never paid, or who paid has left. */
export async function readCustomer(reader: Reader, workspaceId: Uuid): Promise<Customer | null> {
  const [row] = await reader.query<{ customer_id: string; user_id: Uuid | null; email: string | null }>(sql`
    select c.customer_id, c.user_id, c.email from billing_profile p
      join billing_customer c on c.workspace_id = p.workspace_id and c.customer_id = p.customer_id
    where p.workspace_id = ${workspaceId}`)
  return row === undefined ? null : { id: row.customer_id, userId: row.user_id, email: row.email }
}

/** Whether a customer is known, and as that of other workspaces only. */
export async function isForeignCustomer(reader: Reader, workspaceId: Uuid, customerId: string): Promise<boolean> {
  const owners = await reader.query<{ own: boolean }>(
    sql`select workspace_id = ${workspaceId} as own from billing_customer where customer_id = ${customerId}
        order by 1 desc limit 1`,
  )
  return owners.some(({ own }) => !own)
}

/** How many customers of one workspace are looked through: each may cost a question to the provider. */
const CUSTOMERS_MAX = 10

/** Everybody that the workspace is and was at the provider, the latest first, and of very many the latest. */
export async function readCustomerIds(reader: Reader, workspaceId: Uuid): Promise<string[]> {
  const rows = await reader.query<{ customer_id: string }>(sql`
    select customer_id from billing_customer where workspace_id = ${workspaceId} order by made_at desc, customer_id
      limit ${CUSTOMERS_MAX}`)
  return rows.map((row) => row.customer_id)
}

/** Makes the profile of a workspace where there is none, with the defaults. Locks nothing of one that is there. */
export async function ensureProfile(tx: Transaction, workspaceId: Uuid): Promise<void> {
  const { thresholdCents, amountCents } = AUTO_RECHARGE_DEFAULT
  await tx.query(sql`
    insert into billing_profile (workspace_id, auto_threshold_cents, auto_amount_cents)
      values (${workspaceId}, ${thresholdCents}, ${amountCents})
    on conflict (workspace_id) do nothing`)
}

/**
 * Keeps who the workspace is at the provider, in the place of `before`, and that a payment is begun for it, and answers
 * who it is by now: the first of two at once stays.
 */
export async function storeCustomer(
  tx: Transaction,
  workspaceId: Uuid,
  { id, userId, email }: Customer,
  { before, at }: { before: string | null; at: Date },
): Promise<string> {
  await ensureProfile(tx, workspaceId)
  // What was saved belongs to the customer and is gone with it.
  const replaced =
    id === before ? sql`` : sql`, payment_method_id = null, payment_method_at = null, payment_method_user_id = null`
  const taken = await tx.query(sql`
    update billing_profile set customer_id = ${id} ${replaced}
    where workspace_id = ${workspaceId} and customer_id is not distinct from ${before}::text returning 1`)
  const other = taken.length === 0 ? await readCustomer(tx, workspaceId) : null
  if (other !== null) return other.id
  // Where the person has just left, nobody takes the place: this one is used once more, and nothing of it is saved.
  await tx.query(sql`
    insert into billing_customer (workspace_id, customer_id, user_id, email, made_at, begun_at)
      values (${workspaceId}, ${id}, ${userId}, ${email}, ${at}, ${at})
    on conflict (workspace_id, customer_id) do update set user_id = excluded.user_id, email = excluded.email,
      begun_at = greatest(billing_customer.begun_at, excluded.begun_at)`)
  return id
}

/** Notes that a payment is begun, so that it is asked for should nothing be told of it. */
export async function noteBegun(tx: Transaction, workspaceId: Uuid, customerId: string, at: Date): Promise<void> {
  await tx.query(sql`
    update billing_customer set begun_at = greatest(begun_at, ${at}::timestamptz) where workspace_id = ${workspaceId}
      and customer_id = ${customerId}`)
}

export interface BegunCustomer {
  workspaceId: Uuid
  customerId: string
}

/** A part of a list. */
export interface Part<One> {
  /** Any number; each makes another order of the whole list, in which it can be read to its end. */
  order: number
  after: One | null
  limit: number
}

function placeIn(order: number, id: Statement<unknown>) {
  return sql`hashtextextended(${id}, ${order}::bigint)`
}

/** Customers for whom a payment was begun since then, in an order that is drawn, after one of them. */
export async function findBegun(
  reader: Reader,
  since: Date,
  { order, after, limit }: Part<BegunCustomer>,
): Promise<BegunCustomer[]> {
  const place = placeIn(order, sql`customer_id`)
  const before = placeIn(order, sql`${after?.customerId ?? null}::text`)
  const rows = await reader.query<{ workspace_id: Uuid; customer_id: string }>(sql`
    select workspace_id, customer_id from billing_customer
    where begun_at >= ${since} and (${after === null}::boolean or (${place}, workspace_id, customer_id) > (${before},
      ${after?.workspaceId ?? null}::uuid, ${after?.customerId ?? null}::text))
    order by ${place}, workspace_id, customer_id limit ${limit}`)
  return rows.map((row) => ({ workspaceId: row.workspace_id, customerId: row.customer_id }))
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

/**
 * Workspaces that may need a recharge, in an order that is drawn, after one of them: their effective balance is below
 * what they chose, or they have an attempt that nobody looks after.
 */
export async function findRecharges(reader: Reader, at: Date, { order, after, limit }: Part<Uuid>): Promise<Uuid[]> {
  const place = placeIn(order, sql`p.workspace_id::text`)
  const before = placeIn(order, sql`${after}::text`)
  const rows = await reader.query<{ workspace_id: Uuid }>(sql`
    select p.workspace_id from billing_profile p join workspace w on w.id = p.workspace_id
    where (p.auto_enabled or p.attempt_id is not null) and (${after === null}::boolean
      or (${place}, p.workspace_id) > (${before}, ${after}::uuid)) and (${dueAt(at)})
      and (p.attempt_id is not null or p.auto_threshold_cents * ${UNITS_PER_CENT}::bigint > w.balance_units
        - (select coalesce(sum(u.mention_units), 0) from usage_day u
          where u.workspace_id = w.id and u.day > w.settled_through))
    order by ${place}, p.workspace_id limit ${limit}`)
  return rows.map((row) => row.workspace_id)
}

/** The profile of a workspace that may be recharged now, locked; null when there is none, or somebody else is at it. */
export async function lockRechargeable(tx: Transaction, workspaceId: Uuid, at: Date): Promise<BillingProfile | null> {
  const [row] = await tx.query<ProfileRow>(sql`
    select customer_id, payment_method_id, auto_enabled, auto_threshold_cents, auto_amount_cents, attempt_id, attempt,
      attempt_begun_at
    from billing_profile p where workspace_id = ${workspaceId} and (auto_enabled or attempt_id is not null)
      and (${dueAt(at)}) for update skip locked`)
  return row === undefined ? null : profileFrom(row)
}

/** An attempt is due when nobody holds it; a new one when something can be charged and nothing has to be waited for. */
function dueAt(at: Date) {
  return sql`case when p.attempt_id is not null then p.attempt_held_until <= ${at}
    else p.customer_id is not null and p.payment_method_id is not null and (p.next_try_at is null
      or p.next_try_at <= ${at}) end`
}

/** Notes an attempt before the provider hears of it, or that it is being repeated; it is this process's until then. */
export async function holdAttempt(
  tx: Transaction,
  workspaceId: Uuid,
  { id, order, begunAt }: Attempt,
  until: Date,
): Promise<void> {
  await tx.query(sql`
    update billing_profile set attempt_id = ${id}, attempt = ${JSON.stringify(order)}::jsonb,
      attempt_begun_at = ${begunAt}, attempt_held_until = ${until}
    where workspace_id = ${workspaceId}`)
}

/** Leaves an attempt as it is, and to nobody, until then. */
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
 * Writes down what became of an attempt. What has to be waited for, and why recharging was turned off, if that came up
 * meanwhile, stays. Answers why the one before came to nothing, if it did; null when this one had ended already.
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

/** Forgets something that cannot be charged any more, unless something else has come in its place. */
export async function forgetPaymentMethod(tx: Transaction, workspaceId: Uuid, paymentMethodId: string): Promise<void> {
  await tx.query(sql`
    update billing_profile set payment_method_id = null, payment_method_at = null, payment_method_user_id = null
    where workspace_id = ${workspaceId} and payment_method_id = ${paymentMethodId}`)
}

/** No recharge is begun before `at`. */
export async function holdOff(tx: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  await tx.query(
    sql`update billing_profile set next_try_at = greatest(next_try_at, ${at}) where workspace_id = ${workspaceId}`,
  )
}

/** Ends recharging until somebody chooses it again. */
export async function turnOff(tx: Transaction, workspaceId: Uuid, error: string): Promise<void> {
  await tx.query(
    sql`update billing_profile set auto_enabled = false, last_error = ${error} where workspace_id = ${workspaceId}
        and auto_enabled`,
  )
}

/**
 * Notes a payment of a workspace, so that it is found by its reference. Answers false when there is no such workspace.
 */
export async function notePayment(tx: Transaction, workspaceId: Uuid, reference: string): Promise<boolean> {
  await tx.query(sql`
    insert into payment (workspace_id, reference) select id, ${reference} from workspace where id = ${workspaceId}
      on conflict (workspace_id, reference) do nothing`)
  const rows = await tx.query(
    sql`select 1 from payment where workspace_id = ${workspaceId} and reference = ${reference}`,
  )
  return rows.length === 1
}

/** Whose payment this is; null when it has not been told of. */
export async function findPayer(reader: Reader, reference: string): Promise<Uuid | null> {
  const [row] = await reader.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from payment where reference = ${reference} limit 1`,
  )
  return row?.workspace_id ?? null
}

/** What is known to have gone back of a payment. Whoever changes it waits here. */
export async function lockRefunded(tx: Transaction, workspaceId: Uuid, reference: string): Promise<Refunded> {
  const [row] = await tx.query<{ refunded_cents: number; refunded_as_of: Date | null }>(sql`
    select refunded_cents, refunded_as_of from payment where workspace_id = ${workspaceId}
      and reference = ${reference} for update`)
  return { cents: row!.refunded_cents, asOf: row!.refunded_as_of }
}

export async function storeRefunded(
  tx: Transaction,
  workspaceId: Uuid,
  reference: string,
  { cents, asOf }: Refunded,
): Promise<void> {
  await tx.query(sql`
    update payment set refunded_cents = ${cents}, refunded_as_of = ${asOf} where workspace_id = ${workspaceId}
      and reference = ${reference}`)
}

function profileFrom(row: ProfileRow): BillingProfile {
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
