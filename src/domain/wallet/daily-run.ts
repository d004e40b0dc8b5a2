import { DAY_MS, dayOf, dayStart, MINUTE_MS, plus } from '../../kernel/clock.ts'
import { type Units, units } from '../../kernel/money.ts'
import { MENTION } from './prices.ts'
import { covers, dayCost, effectiveOf, tellsLow, type Wallet } from './wallet.ts'

/** The run of a day begins so long after midnight (UTC), so that what was scored just before is counted by then. */
const RUN_AFTER_MS = 5 * MINUTE_MS

/** The day (UTC) whose run is due at an instant, however late; null in the first five minutes of a day. */
export function dueDay(at: Date): string | null {
  return at.getTime() - dayStart(at).getTime() < RUN_AFTER_MS ? null : dayOf(at)
}

/**
 * The day up to which nothing waits to be settled once the run of a day is over. It also says that the run has taken
 * place.
 */
export function dayBefore(day: string): string {
  return dayOf(plus(new Date(`${day}T00:00:00Z`), -DAY_MS))
}

/** Up to where a workspace that is made now counts as settled: the first run for it is the next one. */
export function settledAtStart(at: Date): string {
  return dayBefore(dayOf(plus(at, -RUN_AFTER_MS)))
}

/** What was charged for the mentions of one day. */
export interface MentionDay {
  day: string
  /** So many mentions at the list price; what was scored while nothing was charged is not among them. */
  amount: Units
}

/** What the run of a day knows of a workspace. */
export interface RunFacts extends Wallet {
  /** Days before this one that are not settled, oldest first; their amounts are part of `pending`. */
  unsettled: readonly MentionDay[]
}

/** A line that the run writes into the ledger. */
export interface RunEntry {
  kind: 'debit_mentions' | 'debit_keyword_days'
  key: string
  day: string
  /** Negative: what the wallet loses. */
  amount: Units
  units: number
}

/** What the run of a day does to a workspace. */
export interface RunPlan {
  /** In the order in which they are booked. */
  entries: RunEntry[]
  /** Whether every running keyword is charged for the day. */
  charges: boolean
  /** Whether every running keyword stops. */
  stops: boolean
  /** Whether it is told that the balance is low by now. */
  tellsLow: boolean
}

/**
 * What the run of a day does: the mentions of the days before are settled, whatever the balance, and then either every
 * running keyword is paid for or all of them stop. Days without a run are not charged.
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
  // What is settled moves from pending into the ledger and leaves the effective balance as it was.
  const after = charges ? { ...facts, balance: units(facts.balance - dayCost(facts.running)) } : facts
  return { entries: [...settled, ...charged], charges, stops, tellsLow: !stops && tellsLow(after) }
}

/**
 * What the run of a day does on an installation that charges nothing: what was charged before it did so becomes part of
 * the ledger.
 */
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

/** What a look between two runs does to a workspace that has spent something. */
export interface LookPlan {
  stops: boolean
  tellsLow: boolean
}

/** Keywords stop when nothing is left, although their day is paid for: every further mention would be given away. */
export function planLook(wallet: Wallet): LookPlan {
  const stops = wallet.running > 0 && effectiveOf(wallet) <= 0
  return { stops, tellsLow: !stops && tellsLow(wallet) }
}
