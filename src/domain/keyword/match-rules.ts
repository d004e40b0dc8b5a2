import { platformBits, SEARCH_PLATFORMS, type SearchPlatform } from '../platform/platforms.ts'
import type { Matching } from './keyword.ts'

export interface KeywordRules extends Omit<Matching, 'excludedAuthors'> {
  term: string
  excludedAuthors: readonly string[]
  scopes: number
}

export function matchRulesOf(keyword: {
  term: string
  platforms: readonly SearchPlatform[] | null
  matching: Omit<Matching, 'excludedAuthors'>
  excludedAuthorKeys: readonly string[]
}): KeywordRules {
  const { requiredTerms, requiredMode, excludedTerms, caseSensitive } = keyword.matching
  return {
    term: keyword.term,
    caseSensitive,
    requiredTerms,
    requiredMode,
    excludedTerms,
    excludedAuthors: keyword.excludedAuthorKeys,
    scopes: platformBits(keyword.platforms ?? SEARCH_PLATFORMS),
  }
}
