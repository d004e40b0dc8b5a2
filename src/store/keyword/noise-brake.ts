import { isNoisy } from '../../domain/keyword/health.ts'
import { NOISE_RULE } from '../../domain/keyword/keyword.ts'
import { stepRunning } from '../../domain/keyword/lifecycle.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { keyColumns, noiseSince } from '../counts/keyword-counts.ts'
import type { Transaction } from '../database.ts'
import { keywordFrom, RUNNING_COLUMNS, type RunningRow, storeRunning } from './running-states.ts'

/**
 * Stops noisy keywords of workspaces on welcome credit, which is meant for wanted mentions. The caller holds the
 * counters and has counted the scores.
 */
export async function brakeNoise(
  tx: Transaction,
  scored: readonly { workspaceId: Uuid; keywordId: Uuid }[],
  at: Date,
): Promise<void> {
  const keywords = [...new Map(scored.map((item) => [item.keywordId, item])).values()]
  // By primary keys, and nothing more of paying workspaces.
  const rows = await tx.run<RunningRow & { scored: number; relevant: number }>(
    'noise-brake',
    `select ${RUNNING_COLUMNS}, r.scored, r.relevant from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
     cross join lateral (select from workspace w where w.id = t.workspace_id and w.welcome_limits offset 0) w
     cross join lateral (select * from keyword k where k.workspace_id = t.workspace_id and k.id = t.keyword_id
       and not k.muted offset 0) k
     cross join lateral (select coalesce(sum(judged_scored), 0)::bigint as scored, coalesce(sum(judged_relevant),
       0)::bigint as relevant from keyword_recent r
       where r.workspace_id = t.workspace_id and r.keyword_id = t.keyword_id and r.day >= $3::date offset 0) r
     where r.scored >= ${NOISE_RULE.scoredAtLeast}`,
    [...keyColumns(keywords), noiseSince(at)],
  )
  const moves = rows.filter(isNoisy).map((row) => {
    const keyword = keywordFrom(row)
    return { keyword, state: stepRunning(keyword.state, { kind: 'noise_found' }).state }
  })
  await storeRunning(tx, moves, at)
}
