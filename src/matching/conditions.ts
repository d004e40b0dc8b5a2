import type { MatchRules } from './contract.ts'
import { foldTerm } from './fold.ts'

/** In canonical order, without the term. */
export interface Conditions {
  scopes: number
  all: boolean
  required: readonly string[]
  excluded: readonly string[]
  authors: readonly string[]
}

/** Equal for equal rules, however written. */
export function conditionsKey(rules: MatchRules): string {
  // Most of millions of keywords have no conditions.
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

function saysSomething(folded: string): boolean {
  return /[^* ]/.test(folded)
}

function distinct(texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : [...new Set(texts)].sort()
}
