import { toId, type Uuid } from '../../kernel/ids.ts'
import { excerpt } from '../../kernel/text.ts'
import { isRelevant, type Sentiment } from './classification.ts'
import type { MentionStatus } from './status.ts'

export const TRIAGE_LIMITS = {
  /** Characters of a note. */
  note: 2000,
  /** Mentions in one change. */
  mentions: 200,
  /** Mentions in one change by filter. */
  matching: 10_000,
  /** Characters of a note in the history. */
  notedNote: 200,
} as const

const MARKED_RELEVANCE = { yes: 100, no: 0 } as const

export interface TeamJudgement {
  /** In force, 0 to 100; null while unscored or failed. */
  relevance: number | null
  sentiment: Sentiment | null
  /** Null where the verdict stands. */
  markedRelevant: boolean | null
  markedSentiment: Sentiment | null
  markedAt: Date | null
  /** The overruled values; null where the verdict stands. */
  originalRelevance: number | null
  originalSentiment: Sentiment | null
}

export interface Triage extends TeamJudgement {
  status: MentionStatus
  assigneeId: Uuid | null
  /** Null when over. */
  snoozedUntil: Date | null
  note: string | null
}

/** Null clears, and for feedback restores the verdict; absent fields stay. */
export interface TriageChange {
  status?: MentionStatus | undefined
  assigneeId?: Uuid | null | undefined
  snoozedUntil?: Date | null | undefined
  note?: string | null | undefined
  relevant?: boolean | null | undefined
  sentiment?: Sentiment | null | undefined
}

export interface KnownActor {
  kind: 'api_key' | 'person'
  id: Uuid
}

/** Slack tells only the person's name. */
export type TriageActor = KnownActor | { kind: 'slack'; name: string }

/** `rescored`: a failed score is queued again. */
export const TRIAGE_FIELDS = [
  'status',
  'assignee',
  'snoozedUntil',
  'note',
  'relevant',
  'sentiment',
  'rescored',
] as const

export interface FieldChange {
  field: (typeof TRIAGE_FIELDS)[number]
  from: string | boolean | null
  to: string | boolean | null
}

/** Needs a scored mention. */
export function marks({ relevant, sentiment }: TriageChange): boolean {
  return (relevant ?? null) !== null || (sentiment ?? null) !== null
}

export function changeObjection(
  { snoozedUntil }: TriageChange,
  at: Date,
): { field: keyof TriageChange; reason: string } | null {
  return snoozedUntil && snoozedUntil <= at ? { field: 'snoozedUntil', reason: 'must be in the future' } : null
}

/** A status change ends the snooze, unless it sets one. */
export function triaged(before: Triage, change: TriageChange, at: Date): Triage {
  const status = change.status ?? before.status
  const snoozed = status === before.status ? before.snoozedUntil : null
  return {
    status,
    assigneeId: change.assigneeId === undefined ? before.assigneeId : change.assigneeId,
    snoozedUntil: change.snoozedUntil === undefined ? snoozed : change.snoozedUntil,
    note: change.note === undefined ? before.note : change.note,
    ...judged(before, change, at),
  }
}

/** The verdict is stored when first overruled, and restored afterwards. */
function judged(before: TeamJudgement, change: TriageChange, at: Date): TeamJudgement {
  const markedRelevant = change.relevant === undefined ? before.markedRelevant : change.relevant
  const markedSentiment = change.sentiment === undefined ? before.markedSentiment : change.sentiment
  const scored = scorersOf(before)
  const same = markedRelevant === before.markedRelevant && markedSentiment === before.markedSentiment
  const marked = markedRelevant ? MARKED_RELEVANCE.yes : MARKED_RELEVANCE.no
  const markedAt = same ? before.markedAt : at
  return {
    relevance: markedRelevant === null ? scored.relevance : marked,
    sentiment: markedSentiment ?? scored.sentiment,
    markedRelevant,
    markedSentiment,
    markedAt: markedRelevant === null && markedSentiment === null ? null : markedAt,
    originalRelevance: markedRelevant === null ? null : scored.relevance,
    originalSentiment: markedSentiment === null ? null : scored.sentiment,
  }
}

export function scorersOf({
  relevance,
  sentiment,
  markedRelevant,
  markedSentiment,
  originalRelevance,
  originalSentiment,
}: Omit<TeamJudgement, 'markedAt'>) {
  return {
    relevance: markedRelevant === null ? relevance : originalRelevance,
    sentiment: markedSentiment === null ? sentiment : originalSentiment,
  }
}

export function differences(before: Triage, after: Triage): FieldChange[] {
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  return TRIAGE_FIELDS.filter((field) => was[field] !== is[field]).map((field) => ({
    field,
    from: shown(field, was[field]),
    to: shown(field, is[field]),
  }))
}

function fieldsOf({
  status,
  assigneeId,
  snoozedUntil,
  note,
  markedRelevant,
  markedSentiment,
}: Triage): Record<FieldChange['field'], FieldChange['to']> {
  return {
    status,
    assignee: assigneeId && toId('user', assigneeId),
    snoozedUntil: snoozedUntil?.toISOString() ?? null,
    note,
    relevant: markedRelevant,
    sentiment: markedSentiment,
    rescored: null,
  }
}

/** A history of full notes would outgrow the mention many times. */
function shown(field: FieldChange['field'], value: FieldChange['to']): FieldChange['to'] {
  return field === 'note' && typeof value === 'string' ? excerpt(value, TRIAGE_LIMITS.notedNote) : value
}

/** A change adds the difference of two. */
export function countsOf({
  relevance,
  markedRelevant,
  sentiment,
}: Pick<TeamJudgement, 'relevance' | 'markedRelevant' | 'sentiment'>) {
  return {
    relevant: Number(isRelevant(relevance)),
    markedRelevant: Number(markedRelevant === true),
    markedNotRelevant: Number(markedRelevant === false),
    positive: Number(sentiment === 'positive'),
    neutral: Number(sentiment === 'neutral'),
    negative: Number(sentiment === 'negative'),
  }
}
