import type { Directions } from '../model/directions.ts'

/** The inputs of the relevance logistic. A change of the list or its order needs a new training. */
export const EVIDENCE = [
  // Similarity of the post's words to the context and to the term's other senses.
  'near',
  'near-known',
  'near-squared',
  'nearest-word',
  'nearest-words',
  'nearest-pair',
  'nearest-pairs',
  'around',
  'other',
  'other-word',
  'other-words',
  'shared',
  'term-near',
  'known',
  // Words before the term.
  'after-the',
  'after-a',
  'after-possessive',
  'after-preposition',
  'after-to',
  'after-modal',
  'after-of',
  'after-list',
  'after-number',
  'after-name',
  'after-context',
  'first',
  // Words after the term.
  'before-of',
  'before-preposition',
  'before-particle',
  'before-verb',
  'before-list',
  'before-product-word',
  'before-number',
  'before-name',
  'before-context',
  'before-word',
  'last',
  // Spelling of the term.
  'plural',
  'as-name',
  'small',
  'shouted',
  'in-headline',
  'repeated',
  // Words of trade in the post, and a post without capitals.
  'trade',
  'writes-small',
] as const

export const EVIDENCE_AT = Object.fromEntries(EVIDENCE.map((name, index) => [name, index])) as Record<
  (typeof EVIDENCE)[number],
  number
>

/** The arrays are reused. `shared` is a word that the context names, `excluded` a word that the context excludes. */
export interface Evidence {
  /** In the order of EVIDENCE. */
  values: Float64Array
  /** The direction of the telling words, of length 1 or all zeros. */
  direction: Float64Array
  /** Distinct telling words, of which the first `telling` entries are valid. */
  stems: Int32Array
  weights: Float64Array
  telling: number
  /** Telling words that have a direction. */
  known: number
  shared: string | null
  excluded: string | null
  /** Summed weights of named and of excluded words. */
  wanted: number
  unwanted: number
}

export function newEvidence(directions: Directions): Evidence {
  return {
    values: new Float64Array(EVIDENCE.length),
    direction: new Float64Array(directions.dimensions),
    stems: new Int32Array(MOST_STEMS),
    weights: new Float64Array(MOST_STEMS),
    telling: 0,
    known: 0,
    shared: null,
    excluded: null,
    wanted: 0,
    unwanted: 0,
  }
}

/** Further telling words are ignored. */
export const MOST_STEMS = 64
