import type { Correction } from '../../domain/payment/corrections.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { bookAll } from '../../store/wallet/ledger.ts'
import { lockCounters } from '../../store/wallet/wallets.ts'
import { lockWorkspace } from '../../store/workspace/workspaces.ts'
import { resumeKeywords } from '../wallet/resume-keywords.ts'
import type { Services } from '../writing.ts'

/**
 * Books refunds and disputes, each once. The balance may become negative; the next wallet check then stops the
 * keywords. Returned money resumes them as a credit does. Returns whether anything was new.
 */
export async function correctWallet(
  tx: Transaction,
  { clock, billing }: Pick<Services, 'clock' | 'billing'>,
  workspaceId: Uuid,
  corrections: readonly Correction[],
): Promise<boolean> {
  await lockCounters(tx, [workspaceId])
  await lockWorkspace(tx, workspaceId)
  // After the locks, so that events are in the order in which they happened.
  const at = clock.now()
  const booked = await bookAll(
    tx,
    corrections.map((correction) => ({ ...correction, workspaceId, at })),
  )
  const isGain = corrections.some(({ amount }, index) => amount > 0 && booked[index]!.isNew)
  if (isGain && billing === 'metered') await resumeKeywords(tx, workspaceId, { at, lifted: [] })
  return booked.some(({ isNew }) => isNew)
}
