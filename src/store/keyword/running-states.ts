import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import type { RunningState } from '../../domain/keyword/lifecycle.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { judgeAnew } from '../counts/keyword-counts.ts'
import { type Statement, sql, type Transaction } from '../database.ts'
import { GivenRows, given } from '../given-rows.ts'
import { resumeQueries } from '../source/keyword-queries.ts'
import { announceKeywords } from './keywords.ts'

export interface RunningKeyword {
  workspaceId: Uuid
  id: Uuid
  term: string
  kind: KeywordKind
  state: RunningState
}

export interface CappedKeyword extends RunningKeyword {
  capOwn: number | null
  /** The first day (UTC) of the month of `monthMentions`. */
  month: string
  monthMentions: number
  welcomeLimits: boolean
}

export interface RunningRow {
  workspace_id: Uuid
  id: Uuid
  term: string
  kind: KeywordKind
  muted: boolean
  paused_for_balance: boolean
  paused_for_noise: boolean
  paused_for_cap: boolean
}

export const RUNNING_COLUMNS =
  'k.workspace_id, k.id, k.term, k.kind, k.muted, k.paused_for_balance, k.paused_for_noise, k.paused_for_cap'

/** Nothing starts again in a workspace that is being deleted or moved. */
const STAYS = sql`exists (select from workspace w where w.id = k.workspace_id
  and w.deletes_at is null and not w.frozen)`

const WHICH = {
  running: sql`not muted`,
  muted: sql`muted and not paused_for_balance and not paused_for_noise`,
  stopped: sql`paused_for_balance and ${STAYS}`,
  noisy: sql`paused_for_noise and ${STAYS}`,
}

/** Locks the keywords in order of id. */
export async function lockRunning(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  which: keyof typeof WHICH,
): Promise<RunningKeyword[]> {
  const rows = await tx.query<RunningRow>(sql`
    select ${sql.raw(RUNNING_COLUMNS)} from keyword k
    where workspace_id = any(${workspaceIds}::uuid[]) and ${WHICH[which]} order by workspace_id, id for no key update`)
  return rows.map(keywordFrom)
}

/** Locks the keywords in order of id; the caller holds their counters. */
export async function lockCapped(tx: Transaction, workspaceIds: readonly Uuid[]): Promise<CappedKeyword[]> {
  return await cappedOf(tx, sql`k.workspace_id = any(${workspaceIds}::uuid[])`, sql`for no key update of k`)
}

/** Locks keywords whose counter is of an earlier month; skips locked rows. */
export async function lockCappedBefore(tx: Transaction, month: string, limit: number): Promise<CappedKeyword[]> {
  return await cappedOf(
    tx,
    sql`c.month < ${month}::date and not w.frozen`,
    sql`limit ${limit} for update of c, k skip locked`,
  )
}

async function cappedOf(
  tx: Transaction,
  condition: Statement<unknown>,
  ending: Statement<unknown>,
): Promise<CappedKeyword[]> {
  const rows = await tx.query<
    RunningRow & { cap_own: number | null; month: string; month_mentions: number; welcome_limits: boolean }
  >(sql`
    select ${sql.raw(RUNNING_COLUMNS)}, k.cap_own, c.month, c.month_mentions, w.welcome_limits
    from keyword k join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
      join workspace w on w.id = k.workspace_id
    where k.paused_for_cap and ${condition} order by k.workspace_id, k.id ${ending}`)
  return rows.map((row) => ({
    ...keywordFrom(row),
    capOwn: row.cap_own,
    month: row.month,
    monthMentions: row.month_mentions,
    welcomeLimits: row.welcome_limits,
  }))
}

export function keywordFrom(row: RunningRow): RunningKeyword {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    term: row.term,
    kind: row.kind,
    state: {
      muted: row.muted,
      pausedForBalance: row.paused_for_balance,
      pausedForNoise: row.paused_for_noise,
      pausedForCap: row.paused_for_cap,
    },
  }
}

export interface RunningMove {
  keyword: RunningKeyword
  state: RunningState
}

const STATES = new GivenRows<RunningMove>({
  workspace_id: given.uuid(({ keyword }) => keyword.workspaceId),
  id: given.uuid(({ keyword }) => keyword.id),
  muted: given.boolean(({ state }) => state.muted),
  paused_for_balance: given.boolean(({ state }) => state.pausedForBalance),
  paused_for_noise: given.boolean(({ state }) => state.pausedForNoise),
  paused_for_cap: given.boolean(({ state }) => state.pausedForCap),
})

/** Also notifies matchers, resumes queries and restarts the judgement of unmuted keywords. */
export async function storeRunning(tx: Transaction, moves: readonly RunningMove[], at: Date): Promise<void> {
  if (moves.length === 0) return
  await tx.query(sql`
    update keyword k set muted = t.muted, paused_for_balance = t.paused_for_balance,
      paused_for_noise = t.paused_for_noise, paused_for_cap = t.paused_for_cap,
      judged_since = case when k.muted and not t.muted then ${at}::timestamptz else k.judged_since end,
      collects_since = case when k.muted and not t.muted then ${at}::timestamptz else k.collects_since end
    from ${STATES.of(moves)}
    where k.workspace_id = t.workspace_id and k.id = t.id`)
  for (const [workspaceId, own] of groupBy(moves, ({ keyword }) => keyword.workspaceId)) {
    const resumed = own.filter(({ keyword, state }) => !collects(keyword.state) && collects(state))
    if (resumed.length > 0) await resumeQueries(tx, workspaceId, idsOf(resumed), at)
    await judgeAnew(tx, workspaceId, idsOf(own.filter(({ keyword, state }) => keyword.state.muted && !state.muted)), at)
    await announceKeywords(tx, workspaceId, idsOf(own))
  }
}

/** The caller notifies matchers. */
export async function storePausedForCap(tx: Transaction, workspaceId: Uuid, id: Uuid, paused: boolean): Promise<void> {
  await tx.query(
    sql`update keyword set paused_for_cap = ${paused} where workspace_id = ${workspaceId}
        and id = ${id}`,
  )
}

function collects({ muted, pausedForCap }: RunningState): boolean {
  return !muted && !pausedForCap
}

function idsOf(moves: readonly RunningMove[]): Uuid[] {
  return moves.map(({ keyword }) => keyword.id)
}
