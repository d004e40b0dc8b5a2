import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { lockWallets } from '../../store/wallet/wallets.ts'

/** Until the transaction ends no keyword is made, starts, stops or is charged. */
export async function holdWorkspace(tx: Transaction, workspaceId: Uuid): Promise<null | Refusal<'conflict'>> {
  const held = await lockWallets(tx, [workspaceId], 'all')
  return held.length > 0 ? null : refuse('conflict', 'A keyword was made at the same moment. Try again.')
}
