import type { Directions } from '../model/directions.ts'

/** What the logistic of relevance weighs, in this order. Changing it asks for training again. */
export const EVIDENCE = [
  // How near the post's words lie to the context, and to the other senses of the term.
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
  // What stands before the term.
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
  // What stands behind it.
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
  // How it is written.
  'plural',
  'as-name',
  'small',
  'shouted',
  'in-headline',
  'repeated',
  // Whether the post speaks as people speak of products and companies, and has capitals at all.
  'trade',
  'writes-small',
] as const

/** Where each of them stands in the values. */
export const EVIDENCE_AT = Object.fromEntries(EVIDENCE.map((name, index) => [name, index])) as Record<
  (typeof EVIDENCE)[number],
  number
>

/** What a post says of itself besides the numbers: a word that the context names, and one that it excludes. */
export interface Evidence {
  /** In the order of EVIDENCE; reused. */
  values: Float64Array
  /** Where the post's telling words point, of length 1 or nothing but zeros; reused. */
  direction: Float64Array
  /** The first telling words of the post, each once, and how much each says; reused, `telling` of them count. */
  stems: Int32Array
  weights: Float64Array
  telling: number
  /** Those of them that have a direction. */
  known: number
  shared: string | null
  excluded: string | null
  /** The weights of the named words that the post holds, and of the excluded ones. */
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

/** Telling words beyond these are not read. */
export const MOST_STEMS = 64
