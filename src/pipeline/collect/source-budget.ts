import type { Platform } from '../../domain/platform/platforms.ts'
import { type Clock, plus, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type Budget, type Cost, type Limit, QuotaReached, quotaPlatform, type Source } from '../../sources/contract.ts'
import type { Database } from '../../store/database.ts'
import { type QuotaTake, spendQuota, takeQuotas } from '../../store/source/source-quotas.ts'

/** Counts every request. No source declares this quota. */
export const ASKED = 'asked'
/** A longer wait fails, and the query is retried later. */
const LONGEST_WAIT_MS = 20 * SECOND_MS
const LOOK_AGAIN_SECONDS = 3600
/** Share for waiting callers and look-backs on feeds. The rest is for collecting. */
const SHARE = { part: 0.25, name: (quota: string) => `${quota} aside` }

export interface BudgetOptions {
  db: Database
  clock: Clock
  log: Log
  aside: boolean
}

type Budgeted = Pick<Source, 'platform' | 'limits' | 'countsWith'>

/** All processes of the installation share the quotas. */
export class SourceBudget implements Budget {
  private readonly platform: Platform
  private readonly limits: readonly Limit[]
  private readonly options: BudgetOptions
  /** The day on which each quota was taken, to which a later difference is charged. */
  private readonly days = new Map<string, string>()

  constructor(source: Budgeted, options: BudgetOptions) {
    this.platform = quotaPlatform(source)
    this.limits = options.aside ? withShares(source.limits) : source.limits
    this.options = options
  }

  async take(cost: Cost, signal: AbortSignal): Promise<void> {
    const { clock } = this.options
    const beganMs = clock.monotonicMs()
    for (;;) {
      signal.throwIfAborted()
      const waitMs = await this.tryToTake(this.wholeCost(cost), beganMs)
      if (waitMs === null) return
      await clock.wait(waitMs, signal)
    }
  }

  spend(cost: Cost): void {
    const { db, clock, log } = this.options
    const { platform } = this
    for (const [quota, amount] of Object.entries(this.wholeCost(cost))) {
      if (amount === 0) continue
      const day = this.days.get(quota) ?? dayIn(zoneOf(this.limits, quota), clock.now())
      spendQuota(db, platform, { quota, day, amount }).catch((error: unknown) =>
        log.warn(
          { event: 'source.cost_not_recorded', err: error, platform, quota },
          'The cost of a platform call could not be recorded',
        ),
      )
    }
  }

  private wholeCost(cost: Cost): Cost {
    return this.options.aside ? withShare(cost, this.limits) : cost
  }

  /** Null when taken, else the milliseconds to wait. Throws QuotaReached when the wait is too long. */
  private async tryToTake(cost: Cost, beganMs: number): Promise<number | null> {
    const { db, clock } = this.options
    const at = clock.now()
    const takes = takesOf(cost, this.limits, at)
    const answer = await takeQuotas(db, this.platform, takes, at)
    if (answer.granted) {
      for (const { quota, day } of takes) this.days.set(quota, day)
      return null
    }
    if ('spentFor' in answer) throw spentForToday(answer.spentFor, this.limits, at)
    const waitSeconds = Math.ceil(answer.waitMs / SECOND_MS)
    if (answer.reason === 'paused')
      throw new QuotaReached('the platform asked to be left alone for a while', waitSeconds, false)
    if (clock.monotonicMs() - beganMs + answer.waitMs > LONGEST_WAIT_MS)
      throw new QuotaReached('the limits of the platform are reached for the moment', waitSeconds, false)
    return answer.waitMs
  }
}

function spentForToday(quota: string, limits: readonly Limit[], at: Date): QuotaReached {
  return new QuotaReached(`the quota ${quota} is used up for today`, secondsToMidnight(limits, quota, at), true)
}

function withShares(limits: readonly Limit[]): readonly Limit[] {
  const shares = limits.flatMap((limit) =>
    limit.kind === 'daily'
      ? [{ ...limit, quota: SHARE.name(limit.quota), most: Math.floor(limit.most * SHARE.part) }]
      : [],
  )
  return [...limits, ...shares]
}

function withShare(cost: Cost, limits: readonly Limit[]): Cost {
  const shared = Object.entries(cost).filter(([quota]) => limits.some((limit) => limit.quota === SHARE.name(quota)))
  return { ...cost, ...Object.fromEntries(shared.map(([quota, amount]) => [SHARE.name(quota), amount])) }
}

function takesOf(cost: Cost, limits: readonly Limit[], at: Date): QuotaTake[] {
  const amounts = Object.entries({ [ASKED]: 1, ...cost }).filter(([, amount]) => amount > 0)
  return amounts
    .map(([quota, amount]) => {
      const own = limits.filter((limit) => limit.quota === quota)
      const daily = own.flatMap((limit) => (limit.kind === 'daily' ? [limit.most] : []))
      return {
        quota,
        amount,
        paced: own.flatMap((limit) => (limit.kind === 'paced' ? [limit] : [])),
        day: dayIn(zoneOf(limits, quota), at),
        dailyMost: daily.length === 0 ? null : Math.min(...daily),
      }
    })
    .sort((a, b) => (a.quota < b.quota ? -1 : 1))
}

export function zoneOf(limits: readonly Limit[], quota: string): string {
  const daily = limits.find((limit) => limit.quota === quota && limit.kind === 'daily')
  return daily?.kind === 'daily' ? daily.timeZone : 'UTC'
}

export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
}

/** Steps of a minute up to an hour, which also hold on days of a clock change. */
function secondsToMidnight(limits: readonly Limit[], quota: string, at: Date): number {
  const zone = zoneOf(limits, quota)
  const today = dayIn(zone, at)
  let seconds = 60
  while (seconds < LOOK_AGAIN_SECONDS && dayIn(zone, plus(at, seconds * SECOND_MS)) === today) seconds += 60
  return seconds
}
