import { type CreditKind, isTopUp } from '../../domain/wallet/ledger.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Units } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { assertHere } from '../../store/frozen/moved.ts'
import { book } from '../../store/wallet/ledger.ts'
import { lockCounters } from '../../store/wallet/wallets.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import type { Services } from '../writing.ts'
import { liftWelcomeLimits } from './lift-welcome-limits.ts'
import { resumeKeywords, resumeStopped } from './resume-keywords.ts'

export interface Credit {
  workspaceId: Uuid
  kind: CreditKind
  amount: Units
  /** The cause, such as `payment pi_123`, credited once to a workspace. */
  key: string
  note: string | null
}

/**
 * A top-up lifts the welcome limits. Keywords resume if one day of all can be paid, and always on an unmetered
 * installation. Locks counters, then the workspace, then keywords, which are never locked without their counters.
 * Throws as `assertHere`.
 */
export async function creditWallet(
  tx: Transaction,
  { billing, clock }: Pick<Services, 'billing' | 'clock'>,
  { workspaceId, kind, amount, key, note }: Credit,
): Promise<{ balance: Units; isNew: boolean }> {
  if (amount <= 0) throw new RangeError('a credit is more than nought')
  // A batch being stored holds the counter and may still stop the keyword by the old limit. Counters are locked before
  // the workspace, as in storing.
  await lockCounters(tx, [workspaceId])
  await lockWorkspace(tx, workspaceId)
  await assertHere(tx, workspaceId)
  // Taken after locking, so that events are in order.
  const at = clock.now()
  const { balance, isNew } = await book(tx, { workspaceId, kind, amount, key, at, ...(note === null ? {} : { note }) })
  if (!isNew) return { balance, isNew }
  const limited = await noteCredit(tx, { workspaceId, kind, amount, at })
  const lifted = limited && isTopUp(kind) ? await liftWelcomeLimits(tx, [workspaceId], at) : []
  if (billing === 'metered') await resumeKeywords(tx, workspaceId, { at, lifted })
  else await resumeStopped(tx, [workspaceId], { at, lifted })
  return { balance, isNew }
}

/** Returns whether the welcome limits applied until now. */
async function noteCredit(
  tx: Transaction,
  { workspaceId, kind, amount, at }: Omit<Credit, 'key' | 'note'> & { at: Date },
): Promise<boolean> {
  const [before] = await tx.query<{ welcome_limits: boolean }>(
    sql`select welcome_limits from workspace where id = ${workspaceId}`,
  )
  await tx.query(sql`update workspace set last_credit_units = ${amount}, low_told = false where id = ${workspaceId}`)
  if (isTopUp(kind))
    await tx.query(sql`update workspace set last_top_up_at = ${at}, welcome_limits = false where id = ${workspaceId}`)
  return before!.welcome_limits
}
