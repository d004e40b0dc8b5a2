import { vi } from 'vitest'

/**
 * Waits for something that another process or the event loop brings about in its own time; five seconds are too many.
 */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`it did not come to pass: ${condition}`)
    },
    { timeout: 5000, interval: 2 },
  )
}
