import type { WritingFamily } from '../../../domain/platform/facts.ts'
import { factsOf, type Platform } from '../../../domain/platform/platforms.ts'

/** Groups of platforms with similar writing. The order is part of the model's format: append, never reorder. */
export const FAMILIES = ['social', 'developer', 'reviews', 'forum', 'news'] as const satisfies readonly WritingFamily[]
export type Family = (typeof FAMILIES)[number]

export function familyOf(platform: Platform): Family {
  return factsOf(platform).writing.family
}
