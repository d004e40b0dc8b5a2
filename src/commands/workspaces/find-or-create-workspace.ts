import { isRefusal, type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId } from '../../kernel/ids.ts'
import { findWorkspaces, isOrgId, type NamedWorkspace, theOneOf } from '../../queries/workspaces.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { insertWorkspace } from './create-workspace.ts'

export interface WorkspaceForOperator extends NamedWorkspace {
  made: boolean
}

/**
 * Finds a workspace by id, or a memberless one by name, or creates it. People choose names freely, so a name never
 * selects a workspace with members: the operator would give one team what is meant for another.
 */
export async function findOrCreateWorkspace(
  { db, clock }: Services,
  org: string,
): Promise<WorkspaceForOperator | Refusal<'not_found'> | Refusal<'conflict'>> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`workspace ${org}`}, 0))`)
    const found = await findWorkspaces(tx, org)
    if (found.length === 0 && !isOrgId(org))
      return {
        id: await insertWorkspace(tx, { name: org, credited: true }, clock.now()),
        name: org,
        members: 0,
        made: true,
      }
    const item = theOneOf(found, org)
    if (isRefusal(item)) return item
    return isOrgId(org) || item.members === 0 ? { ...item, made: false } : peoplesOwn(item)
  })
}

function peoplesOwn({ id, name }: NamedWorkspace): Refusal<'conflict'> {
  const orgId = toId('org', id)
  return refuse(
    'conflict',
    `People belong to the workspace ${name}, and anybody may choose this name. ` +
      `If it is the one that you mean, give its id: ${orgId}.`,
  )
}
