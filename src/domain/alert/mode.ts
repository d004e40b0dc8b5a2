/** How a rule sends: each mention by itself, or a digest of a period. */
export const ALERT_MODES = ['instant', 'hourly', 'daily', 'weekly'] as const
export type AlertMode = (typeof ALERT_MODES)[number]
export const DIGEST_MODES = ['hourly', 'daily', 'weekly'] as const
export type DigestMode = (typeof DIGEST_MODES)[number]

/** The event name of a rule that says none. */
export function defaultEventOf(mode: AlertMode): string {
  return mode === 'instant' ? 'mention.matched' : 'digest'
}

/** When a daily or weekly rule runs. Hourly ones run five minutes past each hour of UTC and have no schedule. */
export interface Schedule {
  /** 0 to 23, on the clocks of the time zone. */
  hour: number
  /** 0 to 59. */
  minute: number
  /** A name of the IANA database. */
  timezone: string
  /** Whether a period without mentions sends nothing. */
  skipEmpty: boolean
  /** 0 is Sunday; null for daily rules. */
  weekday: number | null
}
