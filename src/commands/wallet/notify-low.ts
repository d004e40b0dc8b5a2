import { walletNoticeOf } from '../../domain/wallet/wallet.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { toCents } from '../../kernel/money.ts'
import { sql, type Transaction } from '../../store/database.ts'
import { readWallets } from '../../store/wallet/wallets.ts'
import { type RecordedEvent, recordAccountEvents } from '../../store/workspace/account-events.ts'

/** Sends the event once until the next credit. The workspaces are locked already. */
export async function notifyLow(tx: Transaction, workspaceIds: readonly Uuid[], at: Date): Promise<void> {
  if (workspaceIds.length === 0) return
  await tx.query(sql`update workspace set low_told = true where id = any(${workspaceIds}::uuid[])`)
  const wallets = await readWallets(tx, workspaceIds)
  const events = wallets.map((stored): RecordedEvent => {
    const data = { wallet: walletNoticeOf(stored), lastCreditCents: toCents(stored.lastCredit), at: at.toISOString() }
    return { workspaceId: stored.workspaceId, event: 'wallet.low', at, data }
  })
  await recordAccountEvents(tx, events)
}
