/** Day before month, 24 hours: the form that readers of English everywhere understand. */
export const LOCALE = 'en-GB'

export const words = {
  busy: 'Working',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed. Select the text and copy it by hand.',
  copyLabel: (label: string) => `Copy ${label}`,
  dismiss: 'Dismiss',
  loading: 'Loading',
  now: 'now',
  period: 'Period',
  remove: (text: string) => `Remove ${text}`,
  requestId: 'request id',
  stars: (rating: string, max: number) => `${rating} of ${max} stars`,
  tryAgain: 'Try again',
  units: { day: 'd', hour: 'h', minute: 'min', second: 's', millisecond: 'ms' },
}
