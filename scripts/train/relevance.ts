import { rowsOf } from './data.ts'

/** A post with the context of the keyword that it matched, and whether it was meant. */
export interface Pairing {
  term: string
  context: string
  text: string
  relevant: boolean
}

/** Posts of ambiguous words, with a sentence that says which sense is wanted. */
export function pairings(): Pairing[] {
  return rowsOf('relevance_reddit').map((row) => ({ term: String(row.term), context: String(row.context), text: row.text, relevant: row.relevant === true }))
}

/**
 * Whole terms are kept for validation, since what counts is a term that was never seen: every third of them, in the order
 * of the alphabet. The other terms lend only their texts to the word vectors; their labels are not learned.
 */
export function isValidationTerm(term: string, terms: readonly string[]): boolean {
  return terms.indexOf(term) % 3 === 2
}

export function termsOf(all: readonly Pairing[]): string[] {
  return [...new Set(all.map((one) => one.term))].sort()
}
