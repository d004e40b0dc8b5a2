export const ALERT_MODES = ['instant', 'hourly', 'daily', 'weekly'] as const
export type AlertMode = (typeof ALERT_MODES)[number]
export const DIGEST_MODES = ['hourly', 'daily', 'weekly'] as const
export type DigestMode = (typeof DIGEST_MODES)[number]

export function defaultEventOf(mode: AlertMode): string {
  return mode === 'instant' ? 'mention.matched' : 'digest'
}

/** The schedule of daily and weekly rules; hourly rules have none. */
export interface Schedule {
  /** 0 to 23, local time. */
  hour: number
  minute: number
  /** IANA name. */
  timezone: string
  skipEmpty: boolean
  /** 0 is Sunday; null for daily rules. */
  weekday: number | null
}
