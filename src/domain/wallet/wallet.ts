import { toCents, type Units, units } from '../../kernel/money.ts'
import { KEYWORD_DAY } from './prices.ts'

/** What a workspace holds, and what draws on it. */
export interface Wallet {
  /** The balance of the ledger. */
  balance: Units
  /** Mentions that were scored but are not settled in the ledger yet. */
  pending: Units
  /** Keywords that are charged every day: those that are not muted, capped ones among them. */
  running: number
  /** Keywords that were stopped because the balance ran out. */
  paused: number
  /** The last credit, whose fifth is where the balance begins to be called low. */
  lastCredit: Units
  /** Whether it was said since the last credit that the balance is low. */
  lowTold: boolean
}

/** The balance is called low at or under this part of the last credit. */
const LOW_PART = 5

/** The days over which the rate of spending is averaged. */
export const BURN_DAYS = 7

/**
 * How fast a balance is spent, and for how long it lasts, as is shown: everybody can work out the one from the other.
 */
export interface Pace {
  /** The mean of the last seven days, rounded once. */
  burnPerDayCents: number
  /**
   * Whole days that the effective balance lasts at this rate, or at the cost of the next day where it is nought; null
   * where that is nought too.
   */
  daysLeft: number | null
}

/** The pace of a wallet that spent this much in the last seven days. */
export function paceOf(wallet: Pick<Wallet, 'balance' | 'pending' | 'running'>, spent: Units): Pace {
  // A seventh need not be a whole number of units; it is rounded once all the same.
  const burnPerDayCents = toCents((spent / BURN_DAYS) as Units)
  const rate = burnPerDayCents || toCents(dayCost(wallet.running))
  return { burnPerDayCents, daysLeft: rate === 0 ? null : Math.max(0, Math.floor(toCents(effectiveOf(wallet)) / rate)) }
}

/** The balance less what is not settled yet: what decides about stopping. May be negative. */
export function effectiveOf({ balance, pending }: Pick<Wallet, 'balance' | 'pending'>): Units {
  return units(balance - pending)
}

/** What one day of so many keywords costs. */
export function dayCost(keywords: number): Units {
  return units(keywords * KEYWORD_DAY)
}

/** Whether the wallet can pay one day of so many keywords. */
export function covers(wallet: Pick<Wallet, 'balance' | 'pending'>, keywords: number): boolean {
  return effectiveOf(wallet) >= dayCost(keywords)
}

/** Whether the effective balance is at or under a fifth of the last credit. */
export function isLow(wallet: Pick<Wallet, 'balance' | 'pending' | 'lastCredit'>): boolean {
  return effectiveOf(wallet) * LOW_PART <= wallet.lastCredit
}

/** Whether the wallet has stopped everything: keywords wait for a credit, and none runs. */
export function isStopped({ running, paused }: Pick<Wallet, 'running' | 'paused'>): boolean {
  return paused > 0 && running === 0
}

/** Whether it is to be told that the balance is low: once a credit, and not while tracking is paused. */
export function tellsLow(wallet: Wallet): boolean {
  return !wallet.lowTold && wallet.lastCredit > 0 && !isStopped(wallet) && isLow(wallet)
}

/**
 * Whether a credit starts every keyword again that the wallet had stopped: it has to cover a day of all that would run
 * then.
 */
export function restores(wallet: Wallet): boolean {
  return wallet.paused > 0 && covers(wallet, wallet.running + wallet.paused)
}

/** The wallet as account events tell it. Amounts are whole cents, each rounded once. */
export interface WalletTold {
  balanceCents: number
  effectiveCents: number
  /** One more day of the running keywords. */
  nextDayCents: number
  /** One day of these and of those that were stopped for the balance. */
  resumeCostCents: number
  activeKeywords: number
  pausedKeywords: number
}

export function walletTold(wallet: Wallet): WalletTold {
  return {
    balanceCents: toCents(wallet.balance),
    effectiveCents: toCents(effectiveOf(wallet)),
    nextDayCents: toCents(dayCost(wallet.running)),
    resumeCostCents: toCents(dayCost(wallet.running + wallet.paused)),
    activeKeywords: wallet.running,
    pausedKeywords: wallet.paused,
  }
}
