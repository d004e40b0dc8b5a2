import type { Intent } from '../../domain/mention/classification.ts'
import { addFeature, type Distinct, newDistinct, takeBack } from './features.ts'
import { type Head, headOf, type Parts } from './model-file.ts'
import { VENUES, type Venue } from './signs.ts'
import { HASH_START, lowerOf, mix, type Tokens } from './tokens.ts'

/**
 * The purpose for which the spelling of words counts besides the words, venue by venue: where words are misspelled, cut up or
 * run together, as under videos, the characters in them carry over what whole words do not.
 */
export const SPELLED: Partial<Readonly<Record<Venue, Intent>>> = { video: 'promotional', reviews: 'bug_report' }

export interface Spelling {
  head: Head
  characters: Distinct
}

/** The name of the head, which holds one weight for every run of characters. */
export const SPELLING_PART = 'intents.spelling'

export function newSpelling(model: Parts): Spelling {
  return { head: headOf(model, SPELLING_PART), characters: newCharacters() }
}

export function newCharacters(): Distinct {
  return newDistinct(MOST_RUNS)
}

/** What the spelling says for the purpose of the venue, as a logarithm of odds up to the line at which it is given. */
export function spellingOdds({ head, characters }: Spelling, tokens: Tokens, venue: Venue): number {
  charactersOf(tokens, venue, characters)
  return spelledOdds(head, characters.bucket, characters.count)
}

export function spelledOdds({ weights, scale, bits }: Pick<Head, 'weights' | 'scale' | 'bits'>, bucket: Int32Array, count: number): number {
  const mask = (1 << bits) - 1
  let sum = 0
  for (let at = 0; at < count; at += 1) sum += weights[bucket[at]! & mask]!
  return (sum * scale[0]!) / Math.sqrt(count || 1)
}

/** Three to five characters in a row of every word and sign, with marks for its edges, apart for every venue. */
export function charactersOf({ text, start, end, count }: Tokens, venue: Venue, into: Distinct): void {
  takeBack(into, 0)
  const salt = mix(HASH_START, SALT + VENUES.indexOf(venue))
  addFeature(into, salt)
  for (let at = 0; at < count && into.count < MOST_RUNS; at += 1) {
    const first = start[at]!
    const last = Math.min(end[at]!, first + MOST_LETTERS)
    for (let from = first - 1; from <= last - 2; from += 1) {
      let hash = salt
      for (let place = from; place < from + LONGEST && place <= last; place += 1) {
        hash = mix(hash, place < first ? EDGE : place >= last ? EDGE + 2 : lowerOf(text.charCodeAt(place)))
        if (place >= from + 2) addFeature(into, hash)
      }
    }
  }
}

const LONGEST = 5
const MOST_LETTERS = 20
/** Enough for some six hundred characters of text. */
const MOST_RUNS = 2000
const SALT = 300
/** `<` before a word, `>` behind it. */
const EDGE = 60
