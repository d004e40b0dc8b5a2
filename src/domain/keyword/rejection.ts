import { DAY_MS } from '../../kernel/clock.ts'

/** The first reason that applies is stored. */
export const REJECTION_REASONS = [
  'excluded_author',
  'excluded_term',
  'required_terms',
  'workspace_filter',
  'cap',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

/** Stored posts per day, their lifetime, and characters of text. */
export const REJECTIONS = { perDay: 100, keptMs: DAY_MS, excerpt: 200 } as const
