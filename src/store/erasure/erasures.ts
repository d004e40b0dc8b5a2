import type { ErasurePlan } from '../../domain/erasure/erasure-plan.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export interface Erasure {
  id: Uuid
  plan: ErasurePlan
  begunAt: Date
}

export async function beginErasure(tx: Transaction, { id, plan, begunAt }: Erasure): Promise<void> {
  await tx.query(
    sql`insert into erasure (id, begun_at, plan) values (${id}, ${begunAt}, ${JSON.stringify(plan)}::jsonb)`,
  )
}

/** Oldest first. */
export async function readErasures(reader: Reader): Promise<Erasure[]> {
  return reader.query<Erasure>(sql`select id, begun_at as "begunAt", plan from erasure order by begun_at, id`)
}

export async function endErasure(tx: Transaction, id: Uuid): Promise<void> {
  await tx.query(sql`delete from erasure where id = ${id}`)
}
