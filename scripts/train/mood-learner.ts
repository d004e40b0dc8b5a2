import { MOST_GROUPS } from '../../src/classify/offline/sentiment/group.ts'
import { MAX_CHARACTERS } from '../../src/classify/offline/text/tokens.ts'
import type { Rows } from './linear.ts'

/**
 * Positive, negative, neutral: neutral is learned as a mood of its own, and only afterwards made the measure of the
 * others. Small sets learn better so.
 */
export const LABELS = 3

/** The texts that teach sentiment, one after the other; text `i` lies between `start[i]` and `start[i + 1]`. */
export interface MoodTexts extends Rows {
  /** Places in the table of vectors of the tokens, one after the other, likewise; -1 for one that has none. */
  wordStart: Int32Array
  word: Int32Array
  /** 1 for each of those tokens that stands in the reach of a negation. */
  negated: Uint8Array
  family: Uint8Array
  /** How many groups there are. */
  groups: number
  /** `MOST_GROUPS` places a text, and how much it belongs there: not at all behind its last one. */
  group: Int32Array
  share: Float32Array
  english: Uint8Array
  /** How likely each of positive, negative and neutral should be found, `LABELS` numbers a text. */
  wanted: Float32Array
  /** 1 for a text of which the label is beyond doubt. */
  firm: Uint8Array
  weight: Float32Array
  /** How much of what is learned from the text goes to the net, the filters and the weights of all texts: 0 to 1. */
  common: Float32Array
}

/** Goes through the groups of a text, and how much it belongs to each. */
export function eachGroup(
  { group, share }: MoodTexts,
  index: number,
  visit: (group: number, belongs: number) => void,
): void {
  for (let value = index * MOST_GROUPS; value < (index + 1) * MOST_GROUPS && share[value]! > 0; value += 1)
    visit(group[value]!, share[value]!)
}

/** A part of the model that learns with the others; `learned` are its weights as they stand. */
export interface Learner<Learned> {
  learned: Learned
  /** Adds what this part says of a text to its scores. */
  read(index: number, scores: Float64Array): void
  /**
   * Learns from the text read last. `errors` say how much more likely each label should have been, `common` what of
   * that is for all texts; `left` falls from 1 to 0.
   */
  learn(index: number, errors: Float64Array, common: Float64Array, left: number): void
}

/** Steps of the net and the filters, which fall to zero by the end. */
export const NET_RATE = 0.03
/** A text has no more tokens than characters that are read. */
export const MOST_TOKENS = MAX_CHARACTERS + 1
