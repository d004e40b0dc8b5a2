import { useSyncExternalStore } from 'react'

export type TimeFormat = 'relative' | 'exact'

const TICK_MS = 30_000

const clock = { now: Date.now(), timer: undefined as ReturnType<typeof setInterval> | undefined }
const clockListeners = new Set<() => void>()
const formatListeners = new Set<() => void>()
let shownFormat: TimeFormat = 'relative'

/** One timer for all times on the screen; none runs while there is no time. */
function subscribeToClock(notify: () => void): () => void {
  clockListeners.add(notify)
  if (clock.timer === undefined) {
    clock.now = Date.now()
    clock.timer = setInterval(tick, TICK_MS)
  }
  return () => {
    clockListeners.delete(notify)
    if (clockListeners.size > 0) return
    clearInterval(clock.timer)
    clock.timer = undefined
  }
}

function tick(): void {
  clock.now = Date.now()
  for (const notify of clockListeners) notify()
}

function subscribeToFormat(notify: () => void): () => void {
  formatListeners.add(notify)
  return () => formatListeners.delete(notify)
}

/** The time in ms, renewed each half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribeToClock, () => clock.now)
}

export function useTimeFormat(): TimeFormat {
  return useSyncExternalStore(subscribeToFormat, () => shownFormat)
}

/** Changes all times on the screen between relative and exact. */
export function toggleTimeFormat(): void {
  showTimesAs(shownFormat === 'relative' ? 'exact' : 'relative')
}

export function showTimesAs(format: TimeFormat): void {
  shownFormat = format
  for (const notify of formatListeners) notify()
}
