import { toId, type Uuid } from '../../kernel/ids.ts'
import { excerpt } from '../../kernel/text.ts'
import { isRelevant, type Sentiment } from './classification.ts'
import type { MentionStatus } from './status.ts'

export const TRIAGE_LIMITS = {
  /** Characters of a note. */
  note: 2000,
  /** Mentions that are changed together. */
  mentions: 200,
  /** Characters of a note that its history shows. */
  notedNote: 200,
} as const

/** What counts as the relevance of a mention once the team has marked it. */
const MARKED_RELEVANCE = { yes: 100, no: 0 } as const

/** How a mention is judged: by its scorer, and by the team where they overruled the scorer. */
export interface Judgement {
  /** What counts, 0 to 100; null while it is unscored, and when scoring failed. */
  relevance: number | null
  sentiment: Sentiment | null
  /** What the team marked; null where they left it to the scorer. */
  markedRelevant: boolean | null
  markedSentiment: Sentiment | null
  /** When the marks were set last; null without any. */
  markedAt: Date | null
  /** What the scorer had said where a mark overrules it; null elsewhere. */
  originalRelevance: number | null
  originalSentiment: Sentiment | null
}

/** What the team does with a mention. */
export interface Triage extends Judgement {
  status: MentionStatus
  assigneeId: Uuid | null
  /** Hidden from lists until then; one that is over is null. */
  snoozedUntil: Date | null
  note: string | null
}

/** What is to become of a mention. What is absent stays; null clears, and of a mark restores what the scorer said. */
export interface TriageChange {
  status?: MentionStatus | undefined
  assigneeId?: Uuid | null | undefined
  snoozedUntil?: Date | null | undefined
  note?: string | null | undefined
  relevant?: boolean | null | undefined
  sentiment?: Sentiment | null | undefined
}

/** Who shows a credential: an API key, or a person whoever acts for them. */
export interface KnownActor {
  kind: 'api_key' | 'person'
  id: Uuid
}

/** Who changes something. Of those who press a button in Slack only the name that they have there is known. */
export type Actor = KnownActor | { kind: 'slack'; name: string }

/** What a line of the history is about. `rescored` becomes true when a failed score is taken back to be tried again. */
export const TRIAGE_FIELDS = [
  'status',
  'assignee',
  'snoozedUntil',
  'note',
  'relevant',
  'sentiment',
  'rescored',
] as const

/** One value that became another: ids and times as text, notes cut short. */
export interface FieldChange {
  field: (typeof TRIAGE_FIELDS)[number]
  from: string | boolean | null
  to: string | boolean | null
}

/** True when a change marks something, which only a mention with a score can take. */
export function marks({ relevant, sentiment }: TriageChange): boolean {
  return (relevant ?? null) !== null || (sentiment ?? null) !== null
}

/** What is wrong with a change by itself, as field and reason; null when nothing is. */
export function changeObjection(
  { snoozedUntil }: TriageChange,
  at: Date,
): { field: keyof TriageChange; reason: string } | null {
  return snoozedUntil && snoozedUntil <= at ? { field: 'snoozedUntil', reason: 'must be in the future' } : null
}

/** The mention after a change at `at`. A snooze ends with the status it was made in, unless the change sets another. */
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

/**
 * The marks after a change. What the scorer said is kept when it is first overruled, and counts again when nothing
 * overrules it.
 */
function judged(before: Judgement, change: TriageChange, at: Date): Judgement {
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

/** What the scorer said, whether or not it counts. */
export function scorersOf({
  relevance,
  sentiment,
  markedRelevant,
  markedSentiment,
  originalRelevance,
  originalSentiment,
}: Omit<Judgement, 'markedAt'>) {
  return {
    relevance: markedRelevant === null ? relevance : originalRelevance,
    sentiment: markedSentiment === null ? sentiment : originalSentiment,
  }
}

/** What a change did, field by field; empty when all is as before. */
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

/** Notes are cut, or a history of long ones would outgrow the mention many times. */
function shown(field: FieldChange['field'], value: FieldChange['to']): FieldChange['to'] {
  return field === 'note' && typeof value === 'string' ? excerpt(value, TRIAGE_LIMITS.notedNote) : value
}

/** What a judgement adds to counts; the difference of two is what a change moves. */
export function countsOf({
  relevance,
  markedRelevant,
  sentiment,
}: Pick<Judgement, 'relevance' | 'markedRelevant' | 'sentiment'>) {
  return {
    relevant: Number(isRelevant(relevance)),
    markedRelevant: Number(markedRelevant === true),
    markedNotRelevant: Number(markedRelevant === false),
    positive: Number(sentiment === 'positive'),
    neutral: Number(sentiment === 'neutral'),
    negative: Number(sentiment === 'negative'),
  }
}
