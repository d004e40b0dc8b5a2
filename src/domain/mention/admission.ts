import { dayOf, monthStart } from '../../kernel/clock.ts'
import { LOOK_BACK } from '../keyword/queries.ts'

export interface AdmittingKeyword {
  muted: boolean
  /** The caller's own monthly limit. */
  capOwn: number | null
  /** Whether the limits of the welcome credit apply. */
  welcomeLimits: boolean
  /** First day (UTC) of the month of `monthMentions`. */
  month: string
  monthMentions: number
}

/** Further mentions that a keyword may have now. The SQL function `count_matches` rejects a batch with more. */
export function mentionsLeft(keyword: AdmittingKeyword, limit: number | null, at: Date): number {
  if (keyword.muted) return 0
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - monthCountOf(keyword, at))
}

/** A counter that another process has already moved to the next month counts, or that month's matches would be lost. */
export function monthCountOf({ month, monthMentions }: Pick<AdmittingKeyword, 'month' | 'monthMentions'>, at: Date) {
  return month >= dayOf(monthStart(at)) ? monthMentions : 0
}

/** Further mentions of older posts that a new keyword may have from one platform. */
export function lookBackLeft({ lookedBack, lookedBackInAll }: { lookedBack: number; lookedBackInAll: number }): number {
  return Math.min(LOOK_BACK.perPlatform - lookedBack, LOOK_BACK.inAll - lookedBackInAll)
}
