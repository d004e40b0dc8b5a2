import { withMuted } from '../../domain/alert/muted-authors.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import type { WritingContext } from '../writing.ts'
import { changeMuted, type MutingRefusal } from './change-muted.ts'

/** Adds people to those that a rule excludes. */
export async function muteAuthors(
  writing: WritingContext,
  id: Uuid,
  authors: readonly string[],
): Promise<AlertView | Refusal<MutingRefusal>> {
  return await changeMuted(writing, id, authors, withMuted)
}
