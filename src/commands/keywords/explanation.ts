import { EVERY_PLATFORM_BIT, type Platform } from '../../domain/platform/platforms.ts'
import type { Author } from '../../domain/post/post.ts'
import type { MatchRules } from '../../matching/index.ts'

/** In the order of explanation. */
export const EXPLAINED_STEPS = [
  'term',
  'boundaries',
  'case',
  'platform',
  'excluded_authors',
  'excluded_terms',
  'required_terms',
  'workspace_filters',
  'muted',
  'cap',
  'source',
  'time',
] as const
export type ExplainedStep = (typeof EXPLAINED_STEPS)[number]

/** `passed` is null when unknown; `detail` is a sentence or two. */
export interface Explanation {
  step: ExplainedStep
  passed: boolean | null
  detail: string
}

/** Null for unknown fields. */
export interface ExplainedPost {
  platform: Platform | null
  url: string | null
  title: string | null
  text: string
  links: readonly string[]
  author: Author | null
  publishedAt: Date | null
}

export const passes = (step: ExplainedStep, detail: string): Explanation => ({ step, passed: true, detail })
export const fails = (step: ExplainedStep, detail: string): Explanation => ({ step, passed: false, detail })

/** Rules that admit every post, to judge a part of the rules by itself. */
export const BARE: MatchRules = {
  term: '',
  caseSensitive: false,
  requiredTerms: [],
  requiredMode: 'any',
  excludedTerms: [],
  excludedAuthors: [],
  scopes: EVERY_PLATFORM_BIT,
}
