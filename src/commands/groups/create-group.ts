import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { newUuid } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/text.ts'
import { findGroup, type Group } from '../../queries/groups.ts'
import { sql, violatesUnique } from '../../store/database.ts'
import { existing } from '../existing.ts'
import { once } from '../once.ts'
import { refusesMore } from '../workspaces/refuses-more.ts'
import type { WritingContext } from '../writing.ts'

export interface NewGroup {
  name: string
  externalId?: string | null | undefined
  context?: string | null | undefined
  requestId?: string | undefined
}

/** Names are unique without regard to letter case. */
export async function createGroup(
  writing: WritingContext,
  { requestId, ...group }: NewGroup,
): Promise<Group | Refusal<'duplicate_group' | 'conflict' | 'request_conflict'>> {
  const { clock, workspaceId } = writing
  const now = clock.now()
  const id = newUuid(now)
  return refuseDuplicate(writing, group, () =>
    once<Group | Refusal<'conflict'>>(writing, { operation: 'create-group', requestId, body: group }, async (tx) => {
      const full = await refusesMore(tx, workspaceId, 'groups')
      if (full !== null) return full
      await tx.query(sql`
        insert into keyword_group (workspace_id, id, name, name_folded, external_id, is_default, context, created_at,
          updated_at)
        values (${workspaceId}, ${id}, ${group.name}, ${foldName(group.name)}, ${group.externalId ?? null}, false,
          ${group.context ?? ''}, ${now}, ${now})`)
      // Nobody else can see or delete the group before the commit.
      return (await findGroup({ ...writing, db: tx }, id))!
    }),
  )
}

/** Turns a unique violation into a refusal. */
export async function refuseDuplicate<Result>(
  { db, workspaceId }: WritingContext,
  { name = '', externalId = null }: { name?: string | undefined; externalId?: string | null | undefined },
  work: () => Promise<Result>,
): Promise<Result | Refusal<'duplicate_group'>> {
  const taken = (condition: ReturnType<typeof sql>) =>
    existing(db, 'grp', sql`select id from keyword_group where workspace_id = ${workspaceId} and ${condition}`)
  try {
    return await work()
  } catch (error) {
    if (violatesUnique(error, 'keyword_group_name'))
      return refuse(
        'duplicate_group',
        'A group with this name exists.',
        await taken(sql`name_folded = ${foldName(name)}`),
      )
    if (violatesUnique(error, 'keyword_group_external_id'))
      return refuse(
        'duplicate_group',
        'A group with this externalId exists.',
        await taken(sql`external_id = ${externalId}`),
      )
    throw error
  }
}
