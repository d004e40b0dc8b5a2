import { type AccountInput, checkAccount, nameProblem } from '../../domain/account/account.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { hashPassword } from '../../kernel/passwords.ts'
import { cleanLine } from '../../kernel/text.ts'
import { readBeginning } from '../../queries/accounts/read-beginning.ts'
import type { Visited } from '../writing.ts'
import { insertAccount } from './insert-account.ts'
import { isFirst } from './is-first.ts'
import { openSession, type SignedIn } from './open-session.ts'
import { ownNewWorkspace, ownOldestWorkspace } from './own-workspace.ts'

export interface FirstPerson extends AccountInput {
  /** Used if no workspace without members can be taken over. */
  workspaceName: string
}

/**
 * Refuses all later and concurrent calls, and installations whose operator invites the first person: a stranger must
 * not take over existing data.
 */
export async function signUpFirst(
  services: Visited,
  input: FirstPerson,
): Promise<SignedIn | Refusal<'forbidden' | 'validation_error'>> {
  const { db, clock, atHome = false } = services
  if ((await readBeginning(db, atHome)) !== 'first_come') return notFirst()
  const account = checkAccount(input)
  if (isRefusal(account)) return account
  const problem = nameProblem(input.workspaceName)
  if (problem !== null) return refuseField('workspaceName', problem)
  const passwordHash = await hashPassword(input.password)
  return db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await isFirst(tx, atHome))) return notFirst()
    const userId = await insertAccount(tx, { ...account, passwordHash, confirmed: false }, now)
    if (userId === null) return notFirst()
    const owned = atHome ? await ownOldestWorkspace(tx, services, userId, now) : null
    if (owned === null)
      await ownNewWorkspace(tx, services, { id: userId, creditedAt: null }, cleanLine(input.workspaceName), now)
    return openSession(tx, userId, now, { method: 'sign_up' })
  })
}

function notFirst(): Refusal<'forbidden'> {
  return refuse('forbidden', 'This installation is already in use. Ask for an invitation.')
}
