import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { forgetInFilters } from '../../store/filter/stored-filters.ts'
import { removeKeywords } from '../../store/keyword/keywords.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'
import { lockGroup, noSuchGroup } from './lock-group.ts'

/** Deletes its keywords and mentions too. Usage keeps their cost. */
export async function deleteGroup(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found' | 'default_group'>> {
  return db.transaction(async (tx) => {
    const group = await lockGroup(tx, workspaceId, id)
    if (group === null) return noSuchGroup()
    if (group.isDefault) return refuse('default_group', 'The default group cannot be deleted.')
    const keywords = await tx.query<{ id: Uuid }>(
      sql`select id from keyword where workspace_id = ${workspaceId} and group_id = ${id} order by id`,
    )
    await removeKeywords(
      tx,
      workspaceId,
      keywords.map((keyword) => keyword.id),
      clock.now(),
    )
    await forgetInFilters(tx, workspaceId, [id], clock.now())
    await tx.query(sql`delete from keyword_group where workspace_id = ${workspaceId} and id = ${id}`)
    const target = { id: toId('grp', id), name: group.name }
    await recordAudit(
      tx,
      { workspaceId, kind: 'group.deleted', target, data: { keywords: keywords.length } },
      clock.now(),
    )
  })
}
