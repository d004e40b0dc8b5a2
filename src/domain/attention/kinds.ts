import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import { ATTENTION_EVENTS, type AttentionEvent } from './account-events.ts'

/** These are about the workspace, or about the installation for its first workspace. */
const WITHOUT_EVENT = ['deliveries.waiting', 'disk.filling'] as const

export const ATTENTION_KINDS = [...ATTENTION_EVENTS, ...WITHOUT_EVENT] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export function isAttentionEvent(kind: AttentionKind): kind is AttentionEvent {
  return ATTENTION_EVENTS.some((event) => event === kind)
}

export const SUBJECT_TYPES = ['keyword', 'channel', 'workspace'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

export function subjectTypeOf(kind: AttentionKind): SubjectType {
  if (kind === 'channel.failing') return 'channel'
  return isAttentionEvent(kind) ? 'keyword' : 'workspace'
}

export const ATTENTION_STATUSES = ['open', 'resolved', 'dismissed'] as const
export type AttentionStatus = (typeof ATTENTION_STATUSES)[number]

export interface AttentionMoments {
  /** Null while the condition lasts. */
  resolvedAt: Date | null
  dismissedAt: Date | null
}

/** A dismissed item stays dismissed after its condition has ended. */
export function attentionStatusOf({ resolvedAt, dismissedAt }: AttentionMoments): AttentionStatus {
  if (dismissedAt !== null) return 'dismissed'
  return resolvedAt === null ? 'open' : 'resolved'
}

export const ATTENTION_RULES = {
  spike: {
    /** Counts matches of posts no older than `freshMs`. */
    matchesAtLeast: 10,
    freshMs: 6 * HOUR_MS,
    /** Standard deviations above the mean. */
    deviations: 4,
  },
  negativeSpike: {
    windowHours: 24,
    scoredAtLeast: 10,
    /** Fewer are no spike, however few are relevant. */
    negativeAtLeast: 3,
    /** Percent of the relevant mentions. */
    sharePercent: 30,
    /** Factor over the week before. */
    times: 2,
  },
  failing: { deliveries: 5, withinMs: DAY_MS },
  waiting: { countedMax: 100_000 },
  baselineHours: 168,
  /** After a later check the baseline starts again, because collection was off too. */
  offAfterMs: 3 * HOUR_MS,
  /** A baseline needs one day and night. */
  historyHoursAtLeast: 24,
} as const

export function attentionUrl(publicUrl: string, itemId: string): string {
  return `${publicUrl}/attention?item=${itemId}`
}

export const ATTENTION_LIFETIME_MS = 90 * DAY_MS
