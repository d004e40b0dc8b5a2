import { stepAfterMatches } from '../../domain/keyword/month.ts'
import type { Transaction } from '../../store/database.ts'
import { announceKeywords } from '../../store/keyword/keywords.ts'
import { recordRunningEvent } from '../../store/keyword/running-events.ts'
import { storePausedForCap } from '../../store/keyword/running-states.ts'
import { resumeQueries } from '../../store/source/keyword-queries.ts'
import type { AdmissionTally } from './admit-matches.ts'

/** Stops a full keyword, and resumes one capped in an earlier month. `turnMonth` resumes keywords without matches. */
export async function followCap(
  tx: Transaction,
  { counter, limit: cap }: AdmissionTally,
  monthCount: number,
  at: Date,
): Promise<void> {
  const { workspaceId, keywordId: id, month, muted, pausedForCap } = counter
  const before = { muted, pausedForBalance: false, pausedForNoise: false, pausedForCap }
  const { state, events } = stepAfterMatches({ state: before, month, cap, monthCount }, at)
  if (events.length === 0) return
  await storePausedForCap(tx, workspaceId, id, state.pausedForCap)
  if (!state.pausedForCap) await resumeQueries(tx, workspaceId, [id], at)
  await announceKeywords(tx, workspaceId, [id])
  const keyword = { workspaceId, id, term: counter.keyword.keywordTerm, kind: counter.keyword.keywordKind }
  for (const event of events) await recordRunningEvent(tx, { keyword, event, cap, monthCount, at })
}
