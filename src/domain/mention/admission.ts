import { dayOf, monthStart } from '../../kernel/clock.ts'
import { LOOK_BACK } from '../keyword/queries.ts'

/** What decides whether a keyword may have further mentions. */
export interface AdmittingKeyword {
  muted: boolean
  /** The monthly limit of the caller's own. */
  capOwn: number | null
  /** Whether the workspace keeps to the limits of the welcome credit. */
  welcomeLimits: boolean
  /** The first day (UTC) of the month to which `monthMentions` matches belong. */
  month: string
  monthMentions: number
}

/**
 * How many further mentions a keyword may have at this instant. The SQL function `count_matches` refuses a batch that
 * brings more.
 */
export function mentionsLeft(keyword: AdmittingKeyword, limit: number | null, at: Date): number {
  if (keyword.muted) return 0
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - monthCountOf(keyword, at))
}

/**
 * The mentions of the current month. A counter that another machine has moved to the next month already stays there, or
 * the matches of that month were lost.
 */
export function monthCountOf({ month, monthMentions }: Pick<AdmittingKeyword, 'month' | 'monthMentions'>, at: Date) {
  return month >= dayOf(monthStart(at)) ? monthMentions : 0
}

/** How many mentions of posts from before it was made a keyword may still have from one platform. */
export function lookBackLeft({ lookedBack, lookedBackInAll }: { lookedBack: number; lookedBackInAll: number }): number {
  return Math.min(LOOK_BACK.perPlatform - lookedBack, LOOK_BACK.inAll - lookedBackInAll)
}
