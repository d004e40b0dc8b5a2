import { type Reader, sql } from '../../store/database.ts'

/**
 * How the first account of an installation comes about. `first_come`: whoever comes first makes it, because there is
 * nothing to take yet, or because they are at home: at the machine itself, which nobody else reaches. `by_operator`:
 * nobody has an account, but there are workspaces, and the operator invites their owners. `over`: somebody has an
 * account.
 */
export type Beginning = 'first_come' | 'by_operator' | 'over'

export async function readBeginning(db: Reader, atHome: boolean): Promise<Beginning> {
  const [row] = await db.query<{ accounts: boolean; workspaces: boolean }>(
    sql`select exists (select from user_account) as accounts, exists (select from workspace) as workspaces`,
  )
  const { accounts, workspaces } = row!
  if (accounts) return 'over'
  return workspaces && !atHome ? 'by_operator' : 'first_come'
}
