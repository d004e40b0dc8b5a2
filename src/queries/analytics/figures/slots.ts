import { MINUTE_MS } from '../../../kernel/clock.ts'

/** Finds in which of the periods that follow each other a minute lies; -1 in none. `starts` ascend. */
export function slotFinder(starts: readonly Date[], end: Date): (minute: number) => number {
  const bounds = [...starts, end].map((at) => at.getTime() / MINUTE_MS)
  const last = bounds.length - 1
  let slot = 0
  // Mentions that follow each other are mostly of one period.
  return (minute) => {
    if (minute >= bounds[slot]! && minute < bounds[slot + 1]!) return slot
    if (minute < bounds[0]! || minute >= bounds[last]!) return -1
    let [low, high] = [0, last]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (bounds[middle]! <= minute) low = middle
      else high = middle
    }
    slot = low
    return slot
  }
}
