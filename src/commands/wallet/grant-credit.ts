import { randomUUID } from 'node:crypto'
import { NO_TARGET } from '../../domain/audit/kinds.ts'
import { centsToUnits, toCents } from '../../kernel/money.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'
import { creditWallet } from './credit-wallet.ts'

/** Counts as a top-up: see `creditWallet`. Returns the new balance in cents. */
export async function grantCredit({ db, clock, workspaceId, billing }: WritingContext, cents: number): Promise<number> {
  if (!Number.isSafeInteger(cents) || cents < 1) throw new RangeError('a credit is a whole number of cents, 1 or more')
  const credit = {
    workspaceId,
    kind: 'grant' as const,
    amount: centsToUnits(cents),
    key: `grant ${randomUUID()}`,
    note: 'granted by the operator',
  }
  return await db.transaction(async (tx) => {
    const { balance } = await creditWallet(tx, { billing, clock }, credit)
    const data = { amountCents: cents }
    await recordAudit(tx, { workspaceId, kind: 'billing.credit_granted', target: NO_TARGET, data }, clock.now())
    return toCents(balance)
  })
}
