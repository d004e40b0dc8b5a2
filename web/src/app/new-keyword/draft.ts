import type { Keyword } from '../../api/keywords.ts'
import type { SearchPlatform } from '../platforms.ts'

export type Matching = Keyword['matching']

/** What a person fills in of a new keyword. */
export interface KeywordDraft {
  term: string
  kind: Keyword['kind']
  context: string
  /** Null for all. */
  platforms: SearchPlatform[] | null
  matching: Matching
}

export const NO_RULES: Matching = {
  requiredTerms: [],
  requiredMode: 'any',
  excludedTerms: [],
  excludedAuthors: [],
  caseSensitive: false,
}

/** Characters of a context. */
export const CONTEXT_MAX = 300

export function draftOf(term: string, platforms: SearchPlatform[] | null): KeywordDraft {
  return { term, kind: 'brand', context: '', platforms, matching: NO_RULES }
}

/** The first reason about a field or one of its entries, such as `matching.excludedTerms.1`. */
export function reasonFor(fields: ReadonlyMap<string, string> | undefined, field: string): string | null {
  for (const [name, reason] of fields ?? []) if (name === field || name.startsWith(`${field}.`)) return reason
  return null
}
