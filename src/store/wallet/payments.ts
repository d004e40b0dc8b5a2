import type { Refunded } from '../../domain/payment/corrections.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { isFrozen, WorkspaceFrozen } from '../frozen/frozen.ts'

/** False when there is no such workspace. Throws WorkspaceFrozen. */
export async function notePayment(tx: Transaction, workspaceId: Uuid, reference: string): Promise<boolean> {
  if (await isFrozen(tx, workspaceId)) throw new WorkspaceFrozen(workspaceId)
  await tx.query(sql`
    insert into payment (workspace_id, reference) select id, ${reference} from workspace where id = ${workspaceId}
      on conflict (workspace_id, reference) do nothing`)
  const rows = await tx.query(
    sql`select 1 from payment where workspace_id = ${workspaceId} and reference = ${reference}`,
  )
  return rows.length === 1
}

export async function findPayer(reader: Reader, reference: string): Promise<Uuid | null> {
  const [row] = await reader.query<{ workspace_id: Uuid }>(
    sql`select workspace_id from payment where reference = ${reference} limit 1`,
  )
  return row?.workspace_id ?? null
}

/** Locks the payment until the transaction ends. */
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
