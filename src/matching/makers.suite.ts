import type { MatchRules, MatchText } from './contract.ts'

/** A term that everybody may write, without any rule but what is given. */
export function rules(term: string, more: Partial<MatchRules> = {}): MatchRules {
  return {
    term,
    caseSensitive: false,
    requiredTerms: [],
    requiredMode: 'any',
    excludedTerms: [],
    excludedAuthors: [],
    scopes: 1,
    ...more,
  }
}

/** A text without title, links and author, but for what is given. */
export function post(text: string, more: Partial<MatchText> = {}): MatchText {
  return { scope: 0, title: null, text, links: [], authorKeys: [], authorName: null, ...more }
}
