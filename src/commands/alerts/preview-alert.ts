import type { MentionFilter } from '../../domain/filter/fields.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import { countSendable, type SendableCount } from '../../queries/alerts/count-sendable.ts'
import { missingInFilter } from '../mentions/missing-in-filter.ts'
import type { WritingContext } from '../writing.ts'

/** Counts what a rule with this filter would have sent. */
export async function previewAlert(
  writing: WritingContext,
  filter: MentionFilter,
  days: number,
): Promise<SendableCount | Refusal<'not_found' | 'validation_error'>> {
  return (
    (await missingInFilter(writing.db, writing.workspaceId, filter)) ?? (await countSendable(writing, filter, days))
  )
}
