import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../../store/database.ts'

export interface LockedGroup {
  name: string
  externalId: string | null
  isDefault: boolean
  context: string
}

/** Keeps others from changing the group or adding keywords until the transaction ends. */
export async function lockGroup(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<LockedGroup | null> {
  const [group] = await tx.query<LockedGroup>(sql`
    select name, external_id as "externalId", is_default as "isDefault", context
      from keyword_group where workspace_id = ${workspaceId} and id = ${id} for update`)
  return group ?? null
}

export function noSuchGroup(): Refusal<'not_found'> {
  return refuse('not_found', 'This workspace has no such group.')
}
