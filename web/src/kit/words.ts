/** Day before month, 24 hours: the form that readers of English everywhere understand. */
export const LOCALE = 'en-GB'
/** American English puts a comma before the last word of a list, which keeps names with an "and" apart. */
export const LIST_LOCALE = 'en'

export const words = {
  busy: 'Working',
  control: 'Ctrl',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed. Select the text and copy it by hand.',
  copyLabel: (label: string) => `Copy ${label}`,
  dismiss: 'Dismiss',
  loading: 'Loading',
  now: 'now',
  period: 'Period',
  quoted: (text: string) => `“${text}”`,
  remove: (text: string) => `Remove ${text}`,
  requestId: 'request id',
  stars: (rating: string, max: number) => `${rating} of ${max} stars`,
  tryAgain: 'Try again',
  units: { day: 'd', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' },
}
