import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'
import { ATTENTION_EVENTS, type AttentionEvent } from './account-events.ts'

/** What an attention item tells of: an account event, or something that is shown and sends none. */
export const ATTENTION_KINDS = [...ATTENTION_EVENTS, 'deliveries.waiting'] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** Whether an item of this kind sends an event when it opens. */
export function isAttentionEvent(kind: AttentionKind): kind is AttentionEvent {
  return ATTENTION_EVENTS.some((event) => event === kind)
}

/** What an attention item is about. */
export const SUBJECT_TYPES = ['keyword', 'channel', 'workspace'] as const
export type SubjectType = (typeof SUBJECT_TYPES)[number]

export function subjectTypeOf(kind: AttentionKind): SubjectType {
  if (kind === 'channel.failing') return 'channel'
  return kind === 'deliveries.waiting' ? 'workspace' : 'keyword'
}

export const ATTENTION_STATUSES = ['open', 'resolved', 'dismissed'] as const
export type AttentionStatus = (typeof ATTENTION_STATUSES)[number]

/** The moments of an item that tell its status. */
export interface AttentionMoments {
  /** When its condition ended; null while it lasts. */
  resolvedAt: Date | null
  /** Somebody dismissed it, which is possible only while it was open. */
  dismissedAt: Date | null
}

/** A dismissed item stays dismissed also when its condition has ended. */
export function attentionStatusOf({ resolvedAt, dismissedAt }: AttentionMoments): AttentionStatus {
  if (dismissedAt !== null) return 'dismissed'
  return resolvedAt === null ? 'open' : 'resolved'
}

/** When something deserves a look. */
export const ATTENTION_RULES = {
  spike: {
    /** Matches of the last full hour at least, counted where the post is no older than this. */
    matchesAtLeast: 10,
    freshMs: 6 * HOUR_MS,
    /** By how many standard deviations they exceed the mean. */
    deviations: 4,
  },
  negativeSpike: {
    windowHours: 24,
    scoredAtLeast: 10,
    /** Three of ten: fewer are no spike, however few are relevant. */
    negativeAtLeast: 3,
    /** In percent of the relevant ones. */
    sharePercent: 30,
    /** The share is so many times that of the week before. */
    times: 2,
  },
  failing: { deliveries: 5, withinMs: DAY_MS },
  /** What is held is counted up to here. */
  waiting: { countedMax: 100_000 },
  /** The week before. */
  baselineHours: 168,
  /** A look that is later than this means that nothing was collected either: what is usual counts anew from then on. */
  offAfterMs: 3 * HOUR_MS,
  /** With fewer hours before the window nothing is unusual yet: a keyword needs a whole day, with its night, first. */
  historyHoursAtLeast: 24,
} as const

/** The page that shows an item. */
export function attentionUrl(publicUrl: string, itemId: string): string {
  return `${publicUrl}/attention?item=${itemId}`
}

/** Items whose condition has ended are kept for so long. */
export const ATTENTION_KEPT_MS = 90 * DAY_MS
