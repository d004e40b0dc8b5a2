// Functions that run in a page. Each is sent as text, so it uses nothing but its arguments and the page.

// biome-ignore lint/suspicious/noExplicitAny: the page, whose types the code does not have
type Page = any

declare const document: Page
declare const window: Page
declare const performance: Page
declare const MutationObserver: Page
declare const PerformanceObserver: Page
declare const requestAnimationFrame: (run: (atMs: number) => void) => void

/** What the browser says of a page, in milliseconds; the shift of the layout has no unit. */
export interface Vitals {
  firstPaint: number
  largestPaint: number
  shift: number
  /** Time beyond 50 ms of each task after the first paint. */
  blocked: number
  /** Requests that had begun when rows and their number were there; the stream of changes is not among them. */
  requests: number
}

/** Collects what the browser measures, from the beginning of the page on. */
export function watchVitals(): void {
  const seen: Page = { paints: [], largest: [], shifts: [], tasks: [], keys: [] }
  const watch = (type: string, into: Page[], options = {}) =>
    new PerformanceObserver((list: Page) => into.push(...list.getEntries())).observe({
      type,
      buffered: true,
      ...options,
    })
  watch('paint', seen.paints)
  watch('largest-contentful-paint', seen.largest)
  watch('layout-shift', seen.shifts)
  watch('longtask', seen.tasks)
  watch('event', seen.keys, { durationThreshold: 16 })
  window.seenByBench = seen
  const isUsable = () =>
    document.querySelector('[role=grid] [role=row]') !== null &&
    [...document.querySelectorAll('small')].some(({ textContent }: Page) => /^[\d,]+ relevant/.test(textContent))
  const watcher = new MutationObserver(() => {
    if (!isUsable()) return
    seen.usableAt = performance.now()
    watcher.disconnect()
  })
  watcher.observe(document, { childList: true, subtree: true, characterData: true })
}

export function readVitals(): Vitals {
  const { paints, largest, shifts, tasks, usableAt } = window.seenByBench
  const firstPaint = paints.find(({ name }: Page) => name === 'first-contentful-paint').startTime
  return {
    firstPaint,
    largestPaint: largest.at(-1).startTime,
    shift: shifts
      .filter(({ hadRecentInput }: Page) => !hadRecentInput)
      .reduce((sum: number, { value }: Page) => sum + value, 0),
    blocked: tasks
      .filter(({ startTime }: Page) => startTime >= firstPaint)
      .reduce((sum: number, { duration }: Page) => sum + Math.max(0, duration - 50), 0),
    requests: 1 + performance.getEntriesByType('resource').filter(({ startTime }: Page) => startTime < usableAt).length,
  }
}

/** Milliseconds from each press of a key to the next paint, of those that took at least 16 ms. */
export function takeKeyTimes(): number[] {
  const { keys } = window.seenByBench
  return keys
    .splice(0)
    .filter(({ name }: Page) => name === 'keydown')
    .map(({ duration }: Page) => duration)
}

/** Resolves after the next frame was painted. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** Notes the time between frames until `takeFrameTimes`. */
export function watchFrames(): void {
  const times: number[] = []
  window.frameTimes = times
  let lastMs: number | null = null
  const note = (atMs: number) => {
    if (lastMs !== null) times.push(atMs - lastMs)
    lastMs = atMs
    if (window.frameTimes === times) requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** Milliseconds between the frames since `watchFrames`. */
export function takeFrameTimes(): number[] {
  const times = window.frameTimes
  window.frameTimes = null
  return times
}
