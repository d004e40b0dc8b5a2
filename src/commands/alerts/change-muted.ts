import { isDeepStrictEqual } from 'node:util'
import { MUTED_AUTHORS_MAX, mutedAuthors } from '../../domain/alert/muted-authors.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { isRefusal, type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { AlertView } from '../../queries/alerts/alert-shape.ts'
import { getAlert, noSuchAlert } from '../../queries/alerts/get-alert.ts'
import { lockAlert, updateAlert } from '../../store/alert/alerts.ts'
import { authorsOfPosts } from '../keywords/authors-of-posts.ts'
import { namedAuthors } from '../keywords/rules.ts'
import type { WritingContext } from '../writing.ts'

export type MutingRefusal = 'not_found' | 'validation_error'

/** Changes which authors a rule excludes. The version grows only on a real change. */
export async function changeMuted(
  writing: WritingContext,
  id: Uuid,
  authors: readonly string[],
  change: (filter: MentionFilter, authors: readonly string[]) => MentionFilter,
): Promise<AlertView | Refusal<MutingRefusal>> {
  const { db, workspaceId } = writing
  const refusal = await db.transaction(async (tx) => {
    const alert = await lockAlert(tx, workspaceId, id)
    if (alert === null) return noSuchAlert()
    const keys = namedAuthors('authors', authors, await authorsOfPosts(tx, workspaceId, authors))
    if (isRefusal(keys)) return keys
    const filter = change(alert.filter, keys)
    if (isDeepStrictEqual(filter, alert.filter)) return null
    if (mutedAuthors(filter).length > MUTED_AUTHORS_MAX)
      return refuseField('authors', `a rule can mute at most ${MUTED_AUTHORS_MAX} authors`)
    await updateAlert(tx, { ...alert, filter, version: alert.version + 1 })
    return null
  })
  // Sent deliveries are counted without holding locks.
  return refusal ?? (await getAlert(writing, id))
}
