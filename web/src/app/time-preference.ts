import { showTimesAs, type TimeFormat } from '../kit/time-store.ts'

const PREFERENCE = 'earshot-times'

/** How this browser shows times at first. A press on a time changes all of them until the page is left. */
export function preferredTimes(): TimeFormat {
  return localStorage.getItem(PREFERENCE) === 'exact' ? 'exact' : 'relative'
}

export function preferTimes(format: TimeFormat): void {
  if (format === 'exact') localStorage.setItem(PREFERENCE, format)
  else localStorage.removeItem(PREFERENCE)
  showTimesAs(format)
}
