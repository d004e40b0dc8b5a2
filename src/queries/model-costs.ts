import { DAY_MS, dayOf, plus } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { type Reader, sql } from '../store/database.ts'

export interface ModelCost {
  /** YYYY-MM-DD, UTC. */
  day: string
  workspaceId: Uuid
  workspace: string
  calls: number
  inputTokens: number
  outputTokens: number
  /** In millionths of a dollar. */
  microUsd: number
}

/** Newest day first, then highest cost. */
export async function readModelCosts(reader: Reader, days: number, at: Date): Promise<ModelCost[]> {
  return await reader.query<ModelCost>(sql`
    select d.day::text as day, d.workspace_id as "workspaceId", w.name as workspace, d.calls,
      d.input_tokens as "inputTokens", d.output_tokens as "outputTokens",
      d.micro_usd as "microUsd"
    from model_day d join workspace w on w.id = d.workspace_id where d.day > ${dayOf(plus(at, -days * DAY_MS))}::date
    order by d.day desc, d.micro_usd desc, w.name`)
}

/** In millionths of a dollar, deleted workspaces included. */
export async function readModelSpending(reader: Reader, at: Date): Promise<number> {
  const [row] = await reader.query<{ spent: number }>(
    sql`select coalesce(sum(micro_usd), 0)::bigint as spent from model_budget_day where day = ${dayOf(at)}::date`,
  )
  return row?.spent ?? 0
}
