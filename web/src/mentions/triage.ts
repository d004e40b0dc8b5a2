import type { Mention, MentionChange } from '../api/mentions.ts'

export type ChangedField = keyof MentionChange
type Values = { readonly [Field in ChangedField]: MentionChange[Field] }

/** The present values of the fields that a change may set. */
export function valuesOf({ status, triage, classification }: Mention): Required<Values> {
  const feedback = classification?.feedback ?? null
  return {
    status,
    assigneeId: triage.assignee?.id ?? null,
    snoozedUntil: triage.snoozedUntil,
    note: triage.note,
    relevant: feedback?.relevant ?? null,
    sentiment: feedback?.sentiment ?? null,
  }
}

/** The change that gives a mention the values back that it has now. A change of status also ends a snooze. */
export function inverseOf(change: MentionChange, mention: Mention): MentionChange {
  const values = valuesOf(mention)
  const fields = Object.keys(change) as ChangedField[]
  const more: ChangedField[] = change.status !== undefined && values.snoozedUntil !== null ? ['snoozedUntil'] : []
  return Object.fromEntries([...fields, ...more].map((field) => [field, values[field]]))
}

/** Whether the mention has these values. */
export function has(mention: Mention, wanted: MentionChange): boolean {
  const values = valuesOf(mention)
  return (Object.keys(wanted) as ChangedField[]).every((field) =>
    field === 'snoozedUntil'
      ? timeOf(values[field]) === timeOf(wanted[field])
      : (values[field] ?? null) === (wanted[field] ?? null),
  )
}

function timeOf(value: unknown): number | null {
  return value == null ? null : Date.parse(String(value))
}

export interface Undo {
  ids: string[]
  change: MentionChange
}

/** The inverse changes of many mentions, one for each set of former values. */
export function inversesOf(change: MentionChange, mentions: readonly Mention[]): Undo[] {
  const byValues = new Map<string, Undo>()
  for (const mention of mentions) {
    const inverse = inverseOf(change, mention)
    const key = JSON.stringify(inverse)
    const undo = byValues.get(key) ?? { ids: [], change: inverse }
    undo.ids.push(mention.id)
    byValues.set(key, undo)
  }
  return [...byValues.values()]
}

/** The mention as it is after the change, before the server answers. */
export function changed(mention: Mention, change: MentionChange, members: readonly AssignableMember[]): Mention {
  const status = change.status ?? mention.status
  const endsSnooze = change.status !== undefined && change.status !== mention.status
  const snoozedUntil = change.snoozedUntil === undefined ? mention.triage.snoozedUntil : change.snoozedUntil
  return {
    ...mention,
    status,
    ...verdictOf(mention, change),
    triage: {
      assignee: change.assigneeId === undefined ? mention.triage.assignee : assigneeOf(change.assigneeId, members),
      snoozedUntil: endsSnooze && change.snoozedUntil === undefined ? null : String(snoozedUntil ?? '') || null,
      note: change.note === undefined ? mention.triage.note : change.note,
    },
  }
}

export interface AssignableMember {
  userId: string
  name: string
  email: string
}

function assigneeOf(id: string | null, members: readonly AssignableMember[]): Mention['triage']['assignee'] {
  const member = members.find(({ userId }) => userId === id)
  return member === undefined ? null : { id: member.userId, name: member.name, email: member.email }
}

/** Relevance of 40 and more is relevant. */
const RELEVANT_FROM = 40

function verdictOf(
  { relevant, classification }: Mention,
  change: MentionChange,
): Pick<Mention, 'relevant' | 'classification'> {
  if (classification === null || (change.relevant === undefined && change.sentiment === undefined))
    return { relevant, classification }
  const { feedback, relevance, sentiment } = classification
  const original = feedback?.original ?? { relevance, sentiment }
  const verdict = change.relevant === undefined ? (feedback?.relevant ?? null) : change.relevant
  const mood = change.sentiment === undefined ? (feedback?.sentiment ?? null) : change.sentiment
  const decided = verdict === null ? original.relevance : Number(verdict) * 100
  return {
    relevant: (decided ?? 0) >= RELEVANT_FROM,
    classification: {
      ...classification,
      relevance: decided,
      sentiment: mood ?? original.sentiment,
      feedback:
        verdict === null && mood === null ? null : { relevant: verdict, sentiment: mood, original, at: atOf(feedback) },
    },
  }
}

function atOf(feedback: { at: string } | null): string {
  return feedback?.at ?? new Date().toISOString()
}
