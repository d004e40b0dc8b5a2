import { toCents, type Units, units } from '../../kernel/money.ts'
import { KEYWORD_DAY } from './prices.ts'

export interface Wallet {
  balance: Units
  /** Scored mentions that are not settled. */
  pending: Units
  /** Keywords charged daily: all but muted ones, capped ones included. */
  running: number
  /** Keywords stopped by the balance. */
  paused: number
  lastCredit: Units
  /** Whether a low balance was reported since the last credit. */
  lowTold: boolean
}

/** A balance at or under this part of the last credit is low. */
const LOW_PART = 5

export const BURN_DAYS = 7

export interface SpendingPace {
  burnPerDayCents: number
  /** Whole days at this rate, or at the next day's cost when it is 0; null when both are 0. */
  daysLeft: number | null
}

export function paceOf(wallet: Pick<Wallet, 'balance' | 'pending' | 'running'>, spent: Units): SpendingPace {
  // Rounded once: a seventh may not be a whole unit.
  const burnPerDayCents = toCents((spent / BURN_DAYS) as Units)
  const rate = burnPerDayCents || toCents(dayCost(wallet.running))
  return { burnPerDayCents, daysLeft: rate === 0 ? null : Math.max(0, Math.floor(toCents(effectiveOf(wallet)) / rate)) }
}

/** May be negative; decides about stopping. */
export function effectiveOf({ balance, pending }: Pick<Wallet, 'balance' | 'pending'>): Units {
  return units(balance - pending)
}

export function dayCost(keywords: number): Units {
  return units(keywords * KEYWORD_DAY)
}

export function covers(wallet: Pick<Wallet, 'balance' | 'pending'>, keywords: number): boolean {
  return effectiveOf(wallet) >= dayCost(keywords)
}

export function isLow(wallet: Pick<Wallet, 'balance' | 'pending' | 'lastCredit'>): boolean {
  return effectiveOf(wallet) * LOW_PART <= wallet.lastCredit
}

export function isStopped({ running, paused }: Pick<Wallet, 'running' | 'paused'>): boolean {
  return paused > 0 && running === 0
}

/** A low balance is reported once per credit, and not while tracking is paused. */
export function isLowToNotify(wallet: Wallet): boolean {
  return !wallet.lowTold && wallet.lastCredit > 0 && !isStopped(wallet) && isLow(wallet)
}

/** A credit must cover a day of all keywords that would run. */
export function restores(wallet: Wallet): boolean {
  return wallet.paused > 0 && covers(wallet, wallet.running + wallet.paused)
}

/** Whole cents, each rounded once. */
export interface WalletNotice {
  balanceCents: number
  effectiveCents: number
  /** One day of the running keywords. */
  nextDayCents: number
  /** One day of the running and stopped keywords. */
  resumeCostCents: number
  activeKeywords: number
  pausedKeywords: number
}

export function walletNoticeOf(wallet: Wallet): WalletNotice {
  return {
    balanceCents: toCents(wallet.balance),
    effectiveCents: toCents(effectiveOf(wallet)),
    nextDayCents: toCents(dayCost(wallet.running)),
    resumeCostCents: toCents(dayCost(wallet.running + wallet.paused)),
    activeKeywords: wallet.running,
    pausedKeywords: wallet.paused,
  }
}
