import { batchesOf } from '../../kernel/batches.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { TRIAGE_LIMITS, type Triage, type TriageChange } from './triage.ts'

/** A change that restores the former values of at most `TRIAGE_LIMITS.mentions` mentions. */
export interface Undo {
  ids: Uuid[]
  change: TriageChange
}

export const UNDO_MAX = 1000

/** The change that leads from `after` to `before`, except for the time of the feedback; null when they are alike. */
export function undoing(before: Triage, after: Triage): TriageChange | null {
  const undo: TriageChange = {}
  if (before.status !== after.status) undo.status = before.status
  if (before.assigneeId !== after.assigneeId) undo.assigneeId = before.assigneeId
  // A change of status ends a snooze that it does not set.
  const endsSnooze = before.status !== after.status && before.snoozedUntil !== null
  if (endsSnooze || before.snoozedUntil?.getTime() !== after.snoozedUntil?.getTime())
    undo.snoozedUntil = before.snoozedUntil
  if (before.note !== after.note) undo.note = before.note
  if (before.markedRelevant !== after.markedRelevant) undo.relevant = before.markedRelevant
  if (before.markedSentiment !== after.markedSentiment) undo.sentiment = before.markedSentiment
  return Object.keys(undo).length === 0 ? null : undo
}

/** One request for mentions with the same former values; null when it takes more than `UNDO_MAX`. */
export function undoRequests(changed: readonly { id: Uuid; undo: TriageChange }[]): Undo[] | null {
  const groups = groupBy(changed, ({ undo }) => JSON.stringify(undo))
  const requests = [...groups.values()].flatMap((group) =>
    batchesOf(group, TRIAGE_LIMITS.mentions).map((batch) => ({
      ids: batch.map(({ id }) => id),
      change: batch[0]!.undo,
    })),
  )
  return requests.length > UNDO_MAX ? null : requests
}
