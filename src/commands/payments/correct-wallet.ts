import type { Correction } from '../../domain/payment/corrections.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { bookAll } from '../../store/wallet/ledger.ts'
import { lockCounters } from '../../store/wallet/wallets.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import { resumeKeywords } from '../wallet/resume-keywords.ts'
import type { Services } from '../writing.ts'

/**
 * Books each correction once. The balance may become negative; the next wallet check then stops the keywords. Returns
 * whether anything was new.
 */
export async function correctWallet(
  tx: Transaction,
  { clock, billing }: Pick<Services, 'clock' | 'billing'>,
  workspaceId: Uuid,
  corrections: readonly Correction[],
): Promise<boolean> {
  await lockCounters(tx, [workspaceId])
  await lockWorkspace(tx, workspaceId)
  // Taken after locking, so that events are in order.
  const at = clock.now()
  const booked = await bookAll(
    tx,
    corrections.map((correction) => ({ ...correction, workspaceId, at })),
  )
  const isGain = corrections.some(({ amount }, index) => amount > 0 && booked[index]!.isNew)
  if (isGain && billing === 'metered') await resumeKeywords(tx, workspaceId, { at, lifted: [] })
  return booked.some(({ isNew }) => isNew)
}
