import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { removeKeywords } from '../../store/keyword/keywords.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** Deletes its mentions too. Usage keeps their cost. */
export async function deleteKeyword(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  return await db.transaction(async (tx) => {
    const [found] = await tx.query<{ term: string }>(
      sql`select term from keyword where workspace_id = ${workspaceId} and id = ${id}`,
    )
    if (found === undefined) return refuse('not_found', 'This workspace has no keyword with this id.')
    await removeKeywords(tx, workspaceId, [id], clock.now())
    await recordAudit(
      tx,
      { workspaceId, kind: 'keyword.deleted', target: { id: toId('kw', id), name: found.term }, data: {} },
      clock.now(),
    )
  })
}
