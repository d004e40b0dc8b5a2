import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { findGroup, type Group } from '../../queries/groups.ts'
import { sql } from '../../store/database.ts'
import type { WritingContext } from '../writing.ts'
import { refuseDuplicate } from './create-group.ts'
import { lockGroup, noSuchGroup } from './lock-group.ts'

/** Absent fields stay, null clears. */
export interface GroupChange {
  name?: string | undefined
  externalId?: string | null | undefined
  context?: string | null | undefined
}

/** Equal values change nothing. The default group has no context: the company profile describes it. */
export async function updateGroup(
  writing: WritingContext,
  id: Uuid,
  change: GroupChange,
): Promise<Group | Refusal<'not_found' | 'duplicate_group' | 'default_group_context'>> {
  const { db, clock, workspaceId } = writing
  return refuseDuplicate(writing, change, () =>
    db.transaction(async (tx) => {
      const group = await lockGroup(tx, workspaceId, id)
      if (group === null) return noSuchGroup()
      if (group.isDefault && change.context !== undefined)
        return refuse('default_group_context', 'The default group has no context; update the company profile instead.')
      const name = change.name ?? group.name
      const externalId = change.externalId === undefined ? group.externalId : change.externalId
      const context = change.context === undefined ? group.context : (change.context ?? '')
      if (name === group.name && externalId === group.externalId && context === group.context)
        return (await findGroup({ ...writing, db: tx }, id))!
      await tx.query(sql`
        update keyword_group set name = ${name}, name_folded = ${foldName(name)}, external_id = ${externalId},
          context = ${context}, updated_at = ${clock.now()}
         where workspace_id = ${workspaceId} and id = ${id}`)
      return (await findGroup({ ...writing, db: tx }, id))!
    }),
  )
}
