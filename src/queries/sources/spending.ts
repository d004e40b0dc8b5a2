import type { Platform } from '../../domain/platform/platforms.ts'
import { type Reader, sql } from '../../store/database.ts'
import type { PlatformSetup } from '../reading.ts'

/** Usage of a platform's quota on its current day. */
export interface Spending {
  platform: Platform
  quota: string
  spent: number
  /** Daily limit; null without one. */
  most: number | null
}

/** Quotas with a daily limit or usage today, by name. */
export async function readSpending(reader: Reader, setups: readonly PlatformSetup[], at: Date): Promise<Spending[]> {
  const counted = setups.map(({ platform, source }) => ({ platform, as: source?.countsWith ?? platform, source }))
  const limits = counted.flatMap(({ as, source }) => dailyLimits(as, source?.limits ?? []))
  const rows = await reader.query<{ platform: Platform; quota: string; spent: number }>(sql`
    select q.platform, q.quota, q.spent from source_quota q
    left join unnest(${limits.map((limit) => limit.platform)}::text[], ${limits.map((limit) => limit.quota)}::text[],
      ${limits.map((limit) => limit.timeZone)}::text[])
      as t (platform, quota, time_zone) on t.platform = q.platform and t.quota = q.quota
    where q.platform = any(${counted.map(({ as }) => as)}::text[])
      and q.day = (${at}::timestamptz at time zone coalesce(t.time_zone, 'UTC'))::date`)
  const spending = new Map<string, Spending>()
  for (const { platform, quota, most } of limits)
    spending.set(`${platform} ${quota}`, { platform, quota, spent: 0, most })
  for (const { platform, quota, spent } of rows) {
    const key = `${platform} ${quota}`
    spending.set(key, { platform, quota, spent: Number(spent), most: spending.get(key)?.most ?? null })
  }
  const shared = [...spending.values()]
  return counted
    .flatMap(({ platform, as }) => shared.filter((row) => row.platform === as).map((row) => ({ ...row, platform })))
    .sort((a, b) => (a.quota < b.quota ? -1 : 1))
}

interface DailyLimit {
  platform: Platform
  quota: string
  most: number
  timeZone: string
}

/** The lowest limit of each quota. */
function dailyLimits(platform: Platform, limits: NonNullable<PlatformSetup['source']>['limits']): DailyLimit[] {
  const lowest = new Map<string, DailyLimit>()
  for (const limit of limits) {
    if (limit.kind !== 'daily') continue
    const known = lowest.get(limit.quota)
    if (!known || limit.most < known.most)
      lowest.set(limit.quota, { platform, quota: limit.quota, most: limit.most, timeZone: limit.timeZone })
  }
  return [...lowest.values()]
}
