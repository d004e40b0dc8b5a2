import type { MentionFilter } from '../../domain/filter/fields.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { countSendable, type Sendable } from '../../queries/alerts/count-sendable.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { Writing } from '../writing.ts'

/** Counts what a rule with this filter would have sent. */
export async function previewAlert(
  writing: Writing,
  filter: MentionFilter,
  days: number,
): Promise<Sendable | Refusal<'not_found' | 'validation_error'>> {
  return (
    (await missingInFilter(writing.db, writing.workspaceId, filter)) ?? (await countSendable(writing, filter, days))
  )
}
