import { silentLog } from '../kernel/log.ts'
import type { CollectContext } from './contract.ts'

/** The parts of a context that are alike in the tests of sources. */
export const BARE_CONTEXT: Omit<CollectContext, 'fetch' | 'at'> = {
  addressOf: (url) => url,
  open: () => Promise.reject(new Error('no reply without end is served here')),
  spend: () => undefined,
  userAgent: 'test',
  signal: new AbortController().signal,
  log: silentLog,
}

/** Measures the most requests in flight at once. */
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
