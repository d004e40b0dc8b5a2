import { type Reader, sql } from '../../store/database.ts'

/**
 * Who may create the first account. `first_come`: anybody, because the installation is empty or the caller is on its
 * machine, which nobody else reaches. `by_operator`: workspaces exist without accounts, and the operator invites their
 * owners. `over`: an account exists.
 */
export type InstallationBeginning = 'first_come' | 'by_operator' | 'over'

export async function readBeginning(db: Reader, atHome: boolean): Promise<InstallationBeginning> {
  const [row] = await db.query<{ accounts: boolean; workspaces: boolean }>(
    sql`select exists (select from user_account) as accounts, exists (select from workspace) as workspaces`,
  )
  const { accounts, workspaces } = row!
  if (accounts) return 'over'
  return workspaces && !atHome ? 'by_operator' : 'first_come'
}
