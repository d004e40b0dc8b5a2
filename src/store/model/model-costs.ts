import { type BudgetStanding, equalPart, mayReserve } from '../../domain/model-budget/fair-share.ts'
import { dayOf, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { Database, Transaction } from '../database.ts'
import { sql } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import { GivenRows, given } from '../given-rows.ts'

/** In millionths of a dollar. */
export interface ModelReservation {
  workspaceId: Uuid
  id: Uuid
  day: string
  microUsd: number
}

/** Longer than any call: an older reservation was lost. */
const RESERVED_FOR_MS = 15 * MINUTE_MS

const RESERVATION = new GivenRows<ModelReservation & { endsAt: Date }>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ id }) => id),
  day: given.day(({ day }) => day),
  micro_usd: given.bigint(({ microUsd }) => microUsd),
  ends_at: given.instant(({ endsAt }) => endsAt),
})

/** Null beyond the day's budget or the workspace's fair share. Exact over all processes. */
export async function reserveModelCost(
  db: Database,
  { workspaceId, microUsd, budget }: { workspaceId: Uuid; microUsd: number; budget: number },
  at: Date,
): Promise<ModelReservation | null> {
  const reservation = { workspaceId, id: newUuid(at), day: dayOf(at), microUsd }
  return await db.transaction(async (tx) => {
    const standing = await holdDay(tx, reservation, budget)
    if (!mayReserve(standing, microUsd)) return null
    await tx.run(
      'reserve-model-cost',
      `insert into model_reservation (${RESERVATION.names})
       select ${RESERVATION.selected} from ${RESERVATION.unnested}`,
      RESERVATION.values([{ ...reservation, endsAt: plus(at, RESERVED_FOR_MS) }]),
    )
    return reservation
  })
}

interface CallCost {
  microUsd: number
  inputTokens: number
  outputTokens: number
}

const COST = new GivenRows<CallCost & { workspaceId: Uuid; day: string }>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  day: given.day(({ day }) => day),
  input_tokens: given.bigint(({ inputTokens }) => inputTokens),
  output_tokens: given.bigint(({ outputTokens }) => outputTokens),
  micro_usd: given.bigint(({ microUsd }) => microUsd),
})

export async function settleModelCost(
  db: Database,
  { workspaceId, id, day }: ModelReservation,
  cost: CallCost,
): Promise<void> {
  await db.transaction(async (tx) => {
    // First, in the order of the job for lost reservations, which prevents deadlocks.
    await tx.run('end-model-reservation', 'delete from model_reservation where workspace_id = $1 and id = $2', [
      workspaceId,
      id,
    ])
    await tx.run(
      'spend-model-budget',
      `insert into model_budget_day as d (day, micro_usd) values ($1, $2) on conflict (day) do update
          set micro_usd = d.micro_usd + excluded.micro_usd`,
      [day, cost.microUsd],
    )
    // The cost of a removed workspace still counts for the day.
    await tx.run(
      'count-model-cost',
      `insert into model_day as d (calls, ${COST.names}) select 1, ${COST.selected} from ${COST.unnested}
          where exists (select from workspace w where w.id = t.workspace_id)
       on conflict (workspace_id, day) do update
         set calls = d.calls + 1, input_tokens = d.input_tokens + excluded.input_tokens,
         output_tokens = d.output_tokens + excluded.output_tokens, micro_usd = d.micro_usd + excluded.micro_usd`,
      COST.values([{ workspaceId, day, ...cost }]),
    )
  })
}

/** In full: the call may have been paid before the process died. */
export function spendLostReservations(db: Database, at: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`with lost as (
          delete from model_reservation where (workspace_id, id) in (
            select workspace_id, id from model_reservation where ends_at <= ${at} order by workspace_id, id
              limit ${DELETE_BATCH} for update skip locked)
          returning workspace_id, day, micro_usd),
        spent as (
          insert into model_budget_day as d (day, micro_usd) select day, sum(micro_usd) from lost group by day
            order by day
          on conflict (day) do update set micro_usd = d.micro_usd + excluded.micro_usd),
        counted as (
          insert into model_day as d (workspace_id, day, calls, input_tokens, output_tokens, micro_usd)
          select workspace_id, day, count(*), 0, 0, sum(micro_usd) from lost group by workspace_id, day
            order by workspace_id, day
          on conflict (workspace_id, day) do update
            set calls = d.calls + excluded.calls, micro_usd = d.micro_usd + excluded.micro_usd)
        select from lost`,
  )
}

async function holdDay(
  tx: Transaction,
  { workspaceId, day }: ModelReservation,
  budget: number,
): Promise<BudgetStanding> {
  await tx.run('make-model-budget-day', 'insert into model_budget_day (day) values ($1) on conflict do nothing', [day])
  const [held] = await tx.run<{ spent: number }>(
    'hold-model-budget-day',
    'select micro_usd as spent from model_budget_day where day = $1 for update',
    [day],
  )
  // A separate statement, to see what former lock holders wrote.
  const [read] = await tx.run<{ reserved: number; own: number; known: number; strangers: boolean }>(
    'read-model-budget',
    `${USED} select (select coalesce(sum(micro_usd), 0)::bigint from model_reservation where day = $1) as reserved,
       (select coalesce(sum(today), 0)::bigint from used where workspace_id = $2) as own,
       (select count(*) from used where workspace_id <> $2) as known,
       exists (select from workspace w where w.id <> $2 and not exists (select from used u
         where u.workspace_id = w.id)) as strangers`,
    [day, workspaceId],
  )
  const places = read!.known + 1 + (read!.strangers ? 1 : 0)
  const [others] = await tx.run<{ claim: number }>(
    'read-model-claims',
    `${USED} select coalesce(sum(least(greatest(today, yesterday), $3::bigint)), 0)::bigint as claim from used
        where workspace_id <> $2`,
    [day, workspaceId, equalPart(budget, places)],
  )
  return { budget, total: held!.spent + read!.reserved, own: read!.own, places, othersClaim: others!.claim }
}

const USED = `with used as (
  select workspace_id, sum(today) as today, sum(yesterday) as yesterday from (
    select workspace_id, case when day = $1 then micro_usd else 0 end as today, case when day < $1 then micro_usd
      else 0 end as yesterday
    from model_day where day in ($1::date, $1::date - 1)
    union all select workspace_id, micro_usd, 0 from model_reservation where day = $1) parts
  group by workspace_id)`
