import type { RateLimits } from '../src/operations/rate-limit.ts'

/** For benchmarks that would otherwise measure the limit of a workspace. */
export const UNLIMITED: RateLimits = {
  take: (_key, perMinute) => ({
    granted: true,
    limit: perMinute,
    remaining: perMinute,
    resetAt: 0,
    retryAfterSeconds: 1,
    takenAtMs: 0,
  }),
  giveBack: () => undefined,
}
