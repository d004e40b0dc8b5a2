import { DAY_MS } from '../../kernel/clock.ts'
import { type KeywordHealth, NOISE_RULE } from './keyword.ts'

/** Counts are of the window since `judgedSince`. */
export interface HealthFacts {
  muted: boolean
  pausedForCap: boolean
  createdAt: Date
  judgedSince: Date
  scored: number
  relevant: number
}

/** How long a keyword is new, also after a rule change while little was scored. */
export const SETTLING_MS = 7 * DAY_MS

export function isNoisy({ scored, relevant }: { scored: number; relevant: number }): boolean {
  return scored >= NOISE_RULE.scoredAtLeast && relevant < NOISE_RULE.relevantShareBelow * scored
}

/** The order follows the specification. */
export function healthOf(facts: HealthFacts, at: Date): KeywordHealth {
  const age = at.getTime() - facts.createdAt.getTime()
  const sinceChange = at.getTime() - facts.judgedSince.getTime()
  if (facts.muted) return 'paused'
  if (facts.pausedForCap) return 'capped'
  if (isNoisy(facts)) return 'noisy'
  if (age < SETTLING_MS || (sinceChange < SETTLING_MS && facts.scored < NOISE_RULE.scoredAtLeast)) return 'new'
  return facts.relevant === 0 ? 'quiet' : 'healthy'
}
