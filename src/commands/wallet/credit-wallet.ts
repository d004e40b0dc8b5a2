import { type CreditKind, isTopUp } from '../../domain/wallet/ledger.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Units } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { book } from '../../store/wallet/ledger.ts'
import { lockCounters } from '../../store/wallet/wallets.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import type { Services } from '../writing.ts'
import { liftWelcomeLimits } from './lift-welcome-limits.ts'
import { resumeKeywords, resumeStopped } from './resume-keywords.ts'

/** Money that a workspace gets. */
export interface Credit {
  workspaceId: Uuid
  kind: CreditKind
  /** More than nought. */
  amount: Units
  /** Names the cause, such as `payment pi_123`: under one key a workspace is credited once. */
  key: string
  note: string | null
}

/**
 * Adds a credit to a wallet with everything that follows, in the caller's transaction, once a key: a top-up lifts the
 * limits of the welcome credit, and when a day of all keywords can be paid by now, those go on that the balance had
 * stopped. On an unmetered installation they go on whatever can be paid. Answers the balance, and whether the credit
 * was new. Locks counters, the workspace and then keywords, which nobody locks without their counters.
 */
export async function creditWallet(
  tx: Transaction,
  { billing, clock }: Pick<Services, 'billing' | 'clock'>,
  { workspaceId, kind, amount, key, note }: Credit,
): Promise<{ balance: Units; isNew: boolean }> {
  if (amount <= 0) throw new RangeError('a credit is more than nought')
  // A batch that is being stored right now may still stop a keyword by the old limit, and holds its counter until it
  // has. Counters come before the workspace, as they do when a batch is stored.
  await lockCounters(tx, [workspaceId])
  await lockWorkspace(tx, workspaceId)
  // The time of what happens is that at which everything is held, so that events are told in the order in which things
  // happened.
  const at = clock.now()
  const { balance, isNew } = await book(tx, { workspaceId, kind, amount, key, at, ...(note === null ? {} : { note }) })
  if (!isNew) return { balance, isNew }
  const limited = await noteCredit(tx, { workspaceId, kind, amount, at })
  const lifted = limited && isTopUp(kind) ? await liftWelcomeLimits(tx, [workspaceId], at) : []
  if (billing === 'metered') await resumeKeywords(tx, workspaceId, { at, lifted })
  else await resumeStopped(tx, [workspaceId], { at, lifted })
  return { balance, isNew }
}

/** Answers whether the welcome limits were in force until now. */
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
