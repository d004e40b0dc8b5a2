import { dayCost, effectiveOf, isLow, isStopped, paceOf, type SpendingPace } from '../../domain/wallet/wallet.ts'
import { toCents } from '../../kernel/money.ts'
import { readWallet, type StoredWallet } from '../../store/wallet/wallets.ts'
import { readBurn } from '../../store/workspace/workspaces.ts'
import type { QueryContext } from '../reading.ts'

/** Amounts in whole cents, each rounded once. */
export interface WalletStanding extends SpendingPace {
  wallet: StoredWallet
  balanceCents: number
  /** Scored mentions for the next daily run. */
  pendingCents: number
  effectiveCents: number
  /** Keywords wait for a credit and none runs. */
  stopped: boolean
  lowBalance: boolean
  /** A day of the running keywords. */
  nextDayCents: number
  /** A day of running and stopped keywords. */
  resumeCostCents: number
}

/** Reads counters only. Unmetered, days cost nothing and no balance is low or ends. */
export async function readStanding({ db, workspaceId, clock, billing }: QueryContext): Promise<WalletStanding> {
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
