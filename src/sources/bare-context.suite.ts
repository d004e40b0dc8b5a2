import { silentLog } from '../kernel/log.ts'
import type { CollectContext } from './contract.ts'

/** What a test of one source has nothing to say about: it adds how addresses answer, and the instant. */
export const BARE_CONTEXT: Omit<CollectContext, 'fetch' | 'at'> = {
  addressOf: (url) => url,
  spend: () => undefined,
  userAgent: 'test',
  signal: new AbortController().signal,
  log: silentLog,
}

/** Counts how many requests are under way at once: each passes through it while it is. */
export function createMeter(): { pass(): Promise<void>; readonly most: number } {
  let [now, most] = [0, 0]
  return {
    async pass() {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
    },
    get most() {
      return most
    },
  }
}
