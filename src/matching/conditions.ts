import type { MatchRules } from './contract.ts'
import { foldTerm } from './fold.ts'

/** The rules of a keyword without its term, in canonical order. */
export interface Conditions {
  scopes: number
  all: boolean
  required: readonly string[]
  excluded: readonly string[]
  authors: readonly string[]
}

/** Equal for equal rules, however they were written. */
export function conditionsKey(rules: MatchRules): string {
  // A shortcut: most keywords have no conditions, and this runs for each of millions.
  if (rules.requiredTerms.length + rules.excludedTerms.length + rules.excludedAuthors.length === 0)
    return String(rules.scopes | 0)
  return keyOf(conditionsOf(rules))
}

export function keyOf({ scopes, all, required, excluded, authors }: Conditions): string {
  if (required.length + excluded.length + authors.length === 0) return String(scopes)
  return JSON.stringify([scopes, all, required, excluded, authors])
}

export function conditionsOf(rules: MatchRules): Conditions {
  const required = distinct(rules.requiredTerms.map(foldTerm).filter(saysSomething))
  return {
    // Stored as signed 32 bits.
    scopes: rules.scopes | 0,
    all: rules.requiredMode === 'all' && required.length > 1,
    required,
    excluded: distinct(rules.excludedTerms.map(foldTerm).filter(saysSomething)),
    authors: distinct(rules.excludedAuthors),
  }
}

/** Asterisks alone match no word. */
function saysSomething(folded: string): boolean {
  return /[^* ]/.test(folded)
}

function distinct(texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [...new Set(texts)].sort()
}
