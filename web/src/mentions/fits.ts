import type { Mention } from '../api/mentions.ts'
import type { Filter } from '../app/filter/filter-params.ts'

/** The conditions that triage and verdicts can change. */
type TriageConditions = Pick<Filter, 'status' | 'relevant' | 'unassigned' | 'assigneeId' | 'snoozed'>

/** Whether a mention that matched still does after a change of triage or verdict. */
export function fits({ status, relevant, triage }: Mention, filter: TriageConditions): boolean {
  if (filter.status !== undefined && !filter.status.includes(status)) return false
  if (filter.relevant !== undefined && filter.relevant !== relevant) return false
  if (filter.unassigned === true && triage.assignee !== null) return false
  if (filter.assigneeId !== undefined && triage.assignee?.id !== filter.assigneeId) return false
  const isSnoozed = triage.snoozedUntil !== null
  return filter.snoozed === true ? isSnoozed : !isSnoozed
}
