import { TOP_UP_CENTS } from '../../domain/payment/top-up.ts'
import { toCents, units } from '../../kernel/money.ts'
import { sql } from '../../store/database.ts'
import { type AutoRechargeView, readAutoRecharge } from '../payments/read-auto-recharge.ts'
import type { QueryContext } from '../reading.ts'
import { readStanding } from '../usage/standing.ts'

/** Amounts in whole cents, each rounded once. */
export interface WalletView {
  balanceCents: number
  pendingCents: number
  effectiveBalanceCents: number
  burnPerDayCents: number
  daysLeft: number | null
  stopped: boolean
  lowBalance: boolean
  /** Keywords charged daily, capped ones included. */
  activeKeywords: number
  /** Keywords stopped by the wallet. */
  autoMutedKeywords: number
  nextDayCents: number
  resumeCostCents: number
  signupCredit: { amountCents: number; grantedAt: string } | null
  lastTopUpAt: string | null
  billingConfigured: boolean
  minTopUpCents: number
  maxTopUpCents: number
  defaultTopUpCents: number
  currency: 'USD'
  autoRecharge: AutoRechargeView
}

export async function getWallet(reading: QueryContext): Promise<WalletView> {
  const {
    wallet,
    balanceCents,
    pendingCents,
    effectiveCents,
    burnPerDayCents,
    daysLeft,
    stopped,
    lowBalance,
    nextDayCents,
    resumeCostCents,
  } = await readStanding(reading)
  return {
    balanceCents,
    pendingCents,
    effectiveBalanceCents: effectiveCents,
    burnPerDayCents,
    daysLeft,
    stopped,
    lowBalance,
    activeKeywords: wallet.running,
    autoMutedKeywords: wallet.paused,
    nextDayCents,
    resumeCostCents,
    signupCredit: await readSignupCredit(reading),
    lastTopUpAt: wallet.lastTopUpAt?.toISOString() ?? null,
    billingConfigured: reading.payments !== null && reading.billing === 'metered',
    minTopUpCents: TOP_UP_CENTS.min,
    maxTopUpCents: TOP_UP_CENTS.max,
    defaultTopUpCents: TOP_UP_CENTS.proposed,
    currency: 'USD',
    autoRecharge: await readAutoRecharge(reading),
  }
}

/** Booked at most once, under its own key; null without one. */
async function readSignupCredit({
  db,
  workspaceId,
}: QueryContext): Promise<{ amountCents: number; grantedAt: string } | null> {
  const [entry] = await db.query<{ amount_units: number; created_at: Date }>(
    sql`select amount_units, created_at from ledger_entry where workspace_id = ${workspaceId} and key = 'welcome'`,
  )
  return entry === undefined
    ? null
    : { amountCents: toCents(units(entry.amount_units)), grantedAt: entry.created_at.toISOString() }
}
