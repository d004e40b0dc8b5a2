import { DAY_MS } from '../../kernel/clock.ts'

/** Why a post that holds the term of a keyword made no mention: what stands first decided. */
export const REJECTION_REASONS = [
  'excluded_author',
  'excluded_term',
  'required_terms',
  'workspace_filter',
  'cap',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** How many rejected posts of a keyword are kept a day, for how long, and how much of their text (in characters). */
export const REJECTIONS = { perDay: 100, keptMs: DAY_MS, excerpt: 200 } as const
