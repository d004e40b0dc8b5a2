import { withoutMuted } from '../../domain/alert/muted-authors.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import type { WritingContext } from '../writing.ts'
import { changeMuted, type MutingRefusal } from './change-muted.ts'

/** Ignores people that the rule does not exclude. */
export async function unmuteAuthors(
  writing: WritingContext,
  id: Uuid,
  authors: readonly string[],
): Promise<AlertView | Refusal<MutingRefusal>> {
  return await changeMuted(writing, id, authors, withoutMuted)
}
