import type { Allowance, RateLimits } from '../src/commands/limits/contract.ts'

const grantedOf = (limit: number): Allowance => ({
  granted: true,
  limit,
  remaining: limit,
  resetAt: 0,
  retryAfterSeconds: 1,
  takenAtMs: 0,
})

/** For tests and benchmarks that are not about limits. */
export const UNLIMITED: RateLimits = {
  take: (_key, limit) => grantedOf(limit),
  giveBack: () => undefined,
  exact: { take: async (_key, limit) => grantedOf(limit), giveBack: async () => undefined },
}
