import { DAY_MS, dayOf, dayStart, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { type Units, units } from '../../kernel/money.ts'
import { MENTION } from './prices.ts'
import { covers, dayCost, effectiveOf, isLowToNotify, type Wallet } from './wallet.ts'

/** Delay after midnight UTC, so that the last scores of a day are counted. */
const RUN_AFTER_MS = 5 * MINUTE_MS

/** Null in the first five minutes of a day (UTC). */
export function dueDay(at: Date): string | null {
  return at.getTime() - dayStart(at).getTime() < RUN_AFTER_MS ? null : dayOf(at)
}

/** The day up to which mentions are settled after the run of `day`; also marks the run as done. */
export function dayBefore(day: string): string {
  return dayOf(plus(new Date(`${day}T00:00:00Z`), -DAY_MS))
}

/** A new workspace's first run is the next one. */
export function settledAtStart(at: Date): string {
  return dayBefore(dayOf(plus(at, -RUN_AFTER_MS)))
}

export interface MentionDay {
  day: string
  /** The charge, without mentions that were scored while nothing was charged. */
  amount: Units
}

export interface RunFacts extends Wallet {
  /** Oldest first; included in `pending`. */
  unsettled: readonly MentionDay[]
}

export interface RunEntry {
  kind: 'debit_mentions' | 'debit_keyword_days'
  key: string
  day: string
  /** Negative. */
  amount: Units
  units: number
}

export interface RunPlan {
  entries: RunEntry[]
  charges: boolean
  stops: boolean
  tellsLow: boolean
}

/**
 * Settles earlier days whatever the balance, then charges every running keyword or stops them all. Days without a run
 * are not charged.
 */
export function planRun(day: string, facts: RunFacts): RunPlan {
  const settled = settling(facts.unsettled)
  const charges = facts.running > 0 && covers(facts, facts.running)
  const stops = facts.running > 0 && !charges
  const charged: RunEntry[] = charges
    ? [
        {
          kind: 'debit_keyword_days',
          key: `keyword_days ${day}`,
          day,
          amount: units(-dayCost(facts.running)),
          units: facts.running,
        },
      ]
    : []
  // Settling leaves the effective balance unchanged.
  const after = charges ? { ...facts, balance: units(facts.balance - dayCost(facts.running)) } : facts
  return { entries: [...settled, ...charged], charges, stops, tellsLow: !stops && isLowToNotify(after) }
}

/** Earlier charges are still settled. */
export function planUnmetered({ unsettled }: Pick<RunFacts, 'unsettled'>): RunPlan {
  return { entries: settling(unsettled), charges: false, stops: false, tellsLow: false }
}

function settling(unsettled: readonly MentionDay[]): RunEntry[] {
  return unsettled
    .filter(({ amount }) => amount > 0)
    .map(({ day, amount }) => ({
      kind: 'debit_mentions',
      key: `mentions ${day}`,
      day,
      amount: units(-amount),
      units: amount / MENTION,
    }))
}

export interface CheckPlan {
  stops: boolean
  tellsLow: boolean
}

/** At zero keywords stop although their day is paid: further mentions would be free. */
export function planCheck(wallet: Wallet): CheckPlan {
  const stops = wallet.running > 0 && effectiveOf(wallet) <= 0
  return { stops, tellsLow: !stops && isLowToNotify(wallet) }
}
