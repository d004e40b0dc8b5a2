import { nameProblem, OWN_WORKSPACES_MAX } from '../../domain/account/account.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { cleanLine } from '../../kernel/text.ts'
import { sql } from '../../store/database.ts'
import type { Services } from '../writing.ts'
import { lockAccount } from './lock-account.ts'
import { ownNewWorkspace } from './own-workspace.ts'

/** Only the first workspace that a person creates or takes over comes with the welcome credit. */
export async function createOwnWorkspace(
  services: Services,
  userId: Uuid,
  name: string,
): Promise<{ workspaceId: Uuid } | Refusal<'conflict' | 'validation_error'>> {
  const { db, clock } = services
  const problem = nameProblem(name)
  if (problem !== null) return refuseField('name', problem)
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, { id: userId })
    if (account === null) throw new Error('the account of a person who is signed in is gone')
    const [owned] = await tx.query<{ workspaces: number }>(
      sql`select count(*) as workspaces from membership where user_id = ${userId} and role = 'owner'`,
    )
    if (owned!.workspaces >= OWN_WORKSPACES_MAX)
      return refuse('conflict', `You own ${OWN_WORKSPACES_MAX} workspaces, which is the most that one person can.`)
    return { workspaceId: await ownNewWorkspace(tx, services, account, cleanLine(name), clock.now()) }
  })
}
