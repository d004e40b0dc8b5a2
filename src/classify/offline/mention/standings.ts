/**
 * Where a term stands in a post, from the place that says most about the term to the place that says least. The order
 * is part of the model's format.
 */
export const STANDINGS = [
  'prose',
  'title',
  'phrase',
  'list',
  'leading-handle',
  'handle',
  'hashtag',
  'quote',
  'heading',
  'field',
  'tags',
  'code',
  'comment',
  'signature',
  'link',
  'within-word',
] as const
export type Standing = (typeof STANDINGS)[number]

export interface Occurrence {
  /** In code units. */
  start: number
  end: number
  /** The first and the last token of the term. */
  first: number
  last: number
  /** The first and the last token of the sentence. */
  from: number
  to: number
  standing: Standing
}
