import { dayOf, monthStart } from '../../kernel/clock.ts'
import { LOOK_BACK } from '../keyword/queries.ts'

export interface AdmittingKeyword {
  muted: boolean
  capOwn: number | null
  welcomeLimits: boolean
  /** First day (UTC) of the month of `monthMentions`. */
  month: string
  monthMentions: number
}

/** The SQL function `count_matches` rejects a batch with more. */
export function mentionsLeft(keyword: AdmittingKeyword, limit: number | null, at: Date): number {
  if (keyword.muted) return 0
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - monthCountOf(keyword, at))
}

/** A counter that another process moved to the next month counts, or that month's matches would be lost. */
export function monthCountOf({ month, monthMentions }: Pick<AdmittingKeyword, 'month' | 'monthMentions'>, at: Date) {
  return month >= dayOf(monthStart(at)) ? monthMentions : 0
}

export function lookBackLeft({ lookedBack, lookedBackInAll }: { lookedBack: number; lookedBackInAll: number }): number {
  return Math.min(LOOK_BACK.perPlatform - lookedBack, LOOK_BACK.inAll - lookedBackInAll)
}
