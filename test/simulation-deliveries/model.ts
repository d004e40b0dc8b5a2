import type { Uuid } from '../../src/kernel/ids.ts'
import type { Request } from './receivers.ts'

export type Status = 'pending' | 'held' | 'delivered' | 'failed' | 'cancelled'
export type Mode = 'instant' | 'hourly' | 'daily' | 'weekly'

/** What is expected of a delivery, by the words of the specification and by nothing of the code. */
export interface Expected {
  id: string
  workspace: number
  channel: string
  mode: Mode
  /** When a digest was due. */
  dueAt: number | null
  status: Status
  attempts: number
  /** At how many attempts an instant one is given up. */
  limit: number
  /** Before that no attempt is made. */
  notBefore: number
  /** What it was before a result that a process may have died with. */
  before: Pick<Expected, 'status' | 'attempts' | 'notBefore'> | null
  /** Whether chance decides if there is time for another attempt. */
  isOnEdge: boolean
  replayOf: string | null
  mention: Uuid | null
  /** What happened to it, for whoever has to find out why it is not where it should be. */
  history: string[]
  /** How often a receiver has accepted it. */
  accepted: number
}

const SPACING_MS = { instant: 30_000, digest: 300_000 }

/** Digests are tried for six hours, hourly ones until a quarter to. */
export function triedUntil({ mode, dueAt }: Pick<Expected, 'mode' | 'dueAt'>): number {
  if (mode === 'instant') return Number.POSITIVE_INFINITY
  if (mode !== 'hourly') return dueAt! + 6 * 3_600_000
  const hour = Math.floor(dueAt! / 3_600_000) * 3_600_000
  return hour + 3_600_000 + 45 * 60_000
}

/** What a receiver's answer makes of a delivery. */
export function applyResult(item: Expected, { outcome, at, retryAfterSeconds }: NonNullable<Request['result']>): void {
  item.before = { status: item.status, attempts: item.attempts, notBefore: item.notBefore }
  if (outcome === 'delivered') {
    item.accepted += 1
    if (item.status === 'pending' || item.status === 'cancelled')
      Object.assign(item, { status: 'delivered', attempts: item.attempts + 1 })
    return
  }
  if (item.status !== 'pending') return
  item.attempts += 1
  if (outcome === 'permanent') {
    item.status = 'failed'
    return
  }
  const spacing = item.mode === 'instant' ? SPACING_MS.instant : SPACING_MS.digest
  const soonest = at.getTime() + Math.max(spacing, (retryAfterSeconds ?? 0) * 1000)
  const isOver = item.mode === 'instant' ? item.attempts >= item.limit : soonest > triedUntil(item)
  // Up to a tenth of the spacing is added by chance: on the very edge both are right.
  item.isOnEdge = item.mode !== 'instant' && !isOver && soonest + spacing / 10 > triedUntil(item)
  if (isOver) item.status = 'failed'
  else item.notBefore = soonest
}

/** What somebody is told who asks for a delivery again; null when it is granted. */
export function refusalOf(
  again: 'retry' | 'replay',
  item: Expected,
  facts: { enabled: boolean; hasReplay: boolean; isClosed: boolean; now: number },
): string | null {
  const fits =
    again === 'retry'
      ? item.status === 'failed' || item.status === 'held'
      : ['delivered', 'failed', 'cancelled'].includes(item.status)
  if (!fits) return again === 'retry' ? 'not_retryable' : 'not_replayable'
  if (!facts.enabled) return 'channel_disabled'
  // What would be cancelled for its mention is not tried again.
  if (again === 'retry' && facts.isClosed) return 'not_retryable'
  if (again === 'replay' || item.mode === 'instant') return null
  if (facts.hasReplay) return 'digest_has_replay'
  return facts.now > triedUntil(item) ? 'digest_retry_expired' : null
}
