// Most surfaces may not import commands.
export type { Allowance, RateLimits } from '../commands/limits/contract.ts'
export { countsFor } from '../commands/limits/contract.ts'
export { createRateLimits } from '../commands/limits/rate-limits.ts'
