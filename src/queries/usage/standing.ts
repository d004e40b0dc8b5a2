import { dayCost, effectiveOf, isLow, isStopped, type Pace, paceOf } from '../../domain/wallet/wallet.ts'
import { toCents } from '../../kernel/money.ts'
import { readWallet, type StoredWallet } from '../../store/wallet/wallets.ts'
import { readBurn } from '../../store/workspace/workspaces.ts'
import type { Reading } from '../reading.ts'

/** How a wallet stands, wherever that is shown. Amounts are whole cents, each rounded once from what is stored. */
export interface Standing extends Pace {
  wallet: StoredWallet
  balanceCents: number
  /** Scored mentions that the next daily run settles. */
  pendingCents: number
  effectiveCents: number
  /** Whether keywords wait for a credit while none runs. */
  stopped: boolean
  lowBalance: boolean
  /** One more day of every running keyword. */
  nextDayCents: number
  /** One day of these and of those that the wallet has stopped. */
  resumeCostCents: number
}

/**
 * Reads counters only, however many mentions there are. Where nothing is charged no day costs anything, no balance is
 * low or stops anything, and none comes to an end.
 */
export async function readStanding({ db, workspaceId, clock, billing }: Reading): Promise<Standing> {
  const metered = billing === 'metered'
  const wallet = await readWallet(db, workspaceId)
  const spent = await readBurn(db, workspaceId, clock.now())
  const pace = paceOf(wallet, spent)
  const costOf = (keywords: number) => toCents(dayCost(metered ? keywords : 0))
  return {
    wallet,
    balanceCents: toCents(wallet.balance),
    pendingCents: toCents(wallet.pending),
    effectiveCents: toCents(effectiveOf(wallet)),
    ...pace,
    daysLeft: metered ? pace.daysLeft : null,
    stopped: metered && isStopped(wallet),
    lowBalance: metered && isLow(wallet),
    nextDayCents: costOf(wallet.running),
    resumeCostCents: costOf(wallet.running + wallet.paused),
  }
}
