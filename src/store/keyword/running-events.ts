import type { KeywordKind } from '../../domain/keyword/keyword.ts'
import type { KeywordEvent, ResumeReason } from '../../domain/keyword/lifecycle.ts'
import type { WalletNotice } from '../../domain/wallet/wallet.ts'
import { nextMonthStart } from '../../kernel/clock.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import { type RecordedEvent, recordAccountEvents } from '../workspace/account-events.ts'

interface EventKeyword {
  workspaceId: Uuid
  id: Uuid
  term: string
  kind: KeywordKind
}

export interface RunningChange {
  keyword: EventKeyword
  event: KeywordEvent
  cap: number | null
  monthCount: number
  at: Date
}

export async function recordRunningEvent(tx: Transaction, change: RunningChange): Promise<void> {
  await recordRunningEvents(tx, [change])
}

/** Call in the transaction of the changes; keeps their order. */
export async function recordRunningEvents(tx: Transaction, changes: readonly RunningChange[]): Promise<void> {
  const events = changes.map(({ keyword, event, cap, monthCount, at }) =>
    event.event === 'keyword.resumed'
      ? resumedEvent(keyword, event.reason, at)
      : cappedEvent(keyword, cap, monthCount, at),
  )
  await recordAccountEvents(tx, events)
}

export function resumedEvent(keyword: EventKeyword, reason: ResumeReason, at: Date): RecordedEvent {
  return eventOf(keyword, 'keyword.resumed', at, { reason, resumedAt: at.toISOString() })
}

/** `wallet` is as of after all keywords have stopped. */
export function stoppedEvent(keyword: EventKeyword, wallet: WalletNotice, at: Date): RecordedEvent {
  return eventOf(keyword, 'keyword.paused_for_balance', at, { pausedAt: at.toISOString(), wallet })
}

function cappedEvent(keyword: EventKeyword, cap: number | null, monthCount: number, at: Date): RecordedEvent {
  return eventOf(keyword, 'keyword.capped', at, {
    cap: { mentions: cap },
    thisMonth: monthCount,
    pausedAt: at.toISOString(),
    resumesAt: nextMonthStart(at).toISOString(),
  })
}

function eventOf(
  keyword: EventKeyword,
  event: RecordedEvent['event'],
  at: Date,
  data: Record<string, unknown>,
): RecordedEvent {
  const shown = { id: toId('kw', keyword.id), term: keyword.term, kind: keyword.kind }
  return { workspaceId: keyword.workspaceId, event, at, data: { keyword: shown, ...data } }
}
