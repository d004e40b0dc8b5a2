import type { KeywordKind } from '../domain/keyword/keyword.ts'
import type { RunningEvent } from '../domain/keyword/lifecycle.ts'
import { nextMonthStart } from '../kernel/clock.ts'
import { toId, type Uuid } from '../kernel/ids.ts'
import { recordAccountEvent } from './account-events.ts'
import type { Transaction } from './database.ts'

/** The keyword whose running state changed, and what its month looks like. */
export interface RunningChange {
  keyword: { workspaceId: Uuid; id: Uuid; term: string; kind: KeywordKind }
  event: RunningEvent
  /** The limit in force, and the matches of this month that are held against it. */
  cap: number | null
  monthCount: number
  at: Date
}

/** Writes the account event of a changed running state down, in the transaction of the change. */
export async function recordRunningEvent(tx: Transaction, { keyword, event, cap, monthCount, at }: RunningChange): Promise<void> {
  const shown = { id: toId('kw', keyword.id), term: keyword.term, kind: keyword.kind }
  const data =
    event.event === 'keyword.resumed'
      ? { keyword: shown, reason: event.reason, resumedAt: at.toISOString() }
      : { keyword: shown, cap: { mentions: cap }, thisMonth: monthCount, pausedAt: at.toISOString(), resumesAt: nextMonthStart(at).toISOString() }
  await recordAccountEvent(tx, { workspaceId: keyword.workspaceId, event: event.event, at, data })
}
