import type { MatchRules } from './contract.ts'
import { foldTerm } from './fold.ts'

/** Everything of a keyword's rules but its term, in one order. */
export interface Conditions {
  scopes: number
  all: boolean
  required: readonly string[]
  excluded: readonly string[]
  authors: readonly string[]
}

/** The same rules, however they were written, have the same text. */
export function conditionsKey(rules: MatchRules): string {
  // Most keywords have no conditions, and this is asked for each of millions.
  if (rules.requiredTerms.length + rules.excludedTerms.length + rules.excludedAuthors.length === 0)
    return String(rules.scopes | 0)
  return keyOf(conditionsOf(rules))
}

/** The text of conditions that are in their one order already. */
export function keyOf({ scopes, all, required, excluded, authors }: Conditions): string {
  if (required.length + excluded.length + authors.length === 0) return String(scopes)
  return JSON.stringify([scopes, all, required, excluded, authors])
}

export function conditionsOf(rules: MatchRules): Conditions {
  const required = distinct(rules.requiredTerms.map(foldTerm).filter(saysSomething))
  return {
    // As 32 bits with a sign, which is how they are kept.
    scopes: rules.scopes | 0,
    all: rules.requiredMode === 'all' && required.length > 1,
    required,
    excluded: distinct(rules.excludedTerms.map(foldTerm).filter(saysSomething)),
    authors: distinct(rules.excludedAuthors),
  }
}

/** Stars alone stand for the rest of no word. */
function saysSomething(folded: string): boolean {
  return /[^* ]/.test(folded)
}

function distinct(texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [...new Set(texts)].sort()
}
