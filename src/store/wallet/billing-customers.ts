import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { ensureProfile } from './billing-profiles.ts'
import { placeIn, type RandomPage } from './drawn-order.ts'

export interface Customer {
  id: string
  userId: Uuid | null
  email: string | null
}

/** Null when the workspace never paid, or the payer left. */
export async function readCustomer(reader: Reader, workspaceId: Uuid): Promise<Customer | null> {
  const [row] = await reader.query<{ customer_id: string; user_id: Uuid | null; email: string | null }>(sql`
    select c.customer_id, c.user_id, c.email from billing_profile p
      join billing_customer c on c.workspace_id = p.workspace_id and c.customer_id = p.customer_id
    where p.workspace_id = ${workspaceId}`)
  return row === undefined ? null : { id: row.customer_id, userId: row.user_id, email: row.email }
}

/** Whether only other workspaces have this customer. */
export async function isForeignCustomer(reader: Reader, workspaceId: Uuid, customerId: string): Promise<boolean> {
  const owners = await reader.query<{ own: boolean }>(
    sql`select workspace_id = ${workspaceId} as own from billing_customer where customer_id = ${customerId}
        order by 1 desc limit 1`,
  )
  return owners.some(({ own }) => !own)
}

/** Each may cost a request to the provider. */
const CUSTOMERS_MAX = 10

export async function readCustomerIds(reader: Reader, workspaceId: Uuid): Promise<string[]> {
  const rows = await reader.query<{ customer_id: string }>(sql`
    select customer_id from billing_customer where workspace_id = ${workspaceId} order by made_at desc, customer_id
      limit ${CUSTOMERS_MAX}`)
  return rows.map((row) => row.customer_id)
}

/**
 * Replaces customer `before` and records that a payment begins. Returns the present customer: the first of two
 * concurrent calls wins.
 */
export async function storeCustomer(
  tx: Transaction,
  workspaceId: Uuid,
  { id, userId, email }: Customer,
  { before, at }: { before: string | null; at: Date },
): Promise<string> {
  await ensureProfile(tx, workspaceId)
  // The payment method belongs to the former customer.
  const replaced =
    id === before ? sql`` : sql`, payment_method_id = null, payment_method_at = null, payment_method_user_id = null`
  const taken = await tx.query(sql`
    update billing_profile set customer_id = ${id} ${replaced}
    where workspace_id = ${workspaceId} and customer_id is not distinct from ${before}::text returning 1`)
  const other = taken.length === 0 ? await readCustomer(tx, workspaceId) : null
  if (other !== null) return other.id
  // Null when the person has just left: the customer is used once more, and nothing of it is saved.
  await tx.query(sql`
    insert into billing_customer (workspace_id, customer_id, user_id, email, made_at, begun_at)
      values (${workspaceId}, ${id}, ${userId}, ${email}, ${at}, ${at})
    on conflict (workspace_id, customer_id) do update set user_id = excluded.user_id, email = excluded.email,
      begun_at = greatest(billing_customer.begun_at, excluded.begun_at)`)
  return id
}

/** The provider is asked for the outcome if it reports none. */
export async function noteBegun(tx: Transaction, workspaceId: Uuid, customerId: string, at: Date): Promise<void> {
  await tx.query(sql`
    update billing_customer set begun_at = greatest(begun_at, ${at}::timestamptz) where workspace_id = ${workspaceId}
      and customer_id = ${customerId}`)
}

export interface BegunCustomer {
  workspaceId: Uuid
  customerId: string
}

/** In the random order of `Part`, since that instant. */
export async function findBegun(
  reader: Reader,
  since: Date,
  { order, after, limit }: RandomPage<BegunCustomer>,
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
