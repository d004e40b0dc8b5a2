import type { Intent } from '../../domain/mention/classification.ts'
import { addCharacters, addFeature, type Distinct, newDistinct, takeBack } from './features.ts'
import { logOddsOf } from './heads.ts'
import { type Head, headOf, type Parts } from './model-file.ts'
import { VENUES, type Venue } from './signs.ts'
import { HASH_START, mix, type Tokens } from './tokens.ts'

/**
 * The purpose for which the spelling of words counts besides the words, venue by venue: where words are misspelled, cut up or
 * run together, as under videos, the characters in them carry over what whole words do not.
 */
export const SPELLED: Partial<Readonly<Record<Venue, Intent>>> = { video: 'promotional', reviews: 'bug_report' }

export interface Spelling {
  head: Head
  characters: Distinct
}

/** The name of the head, which holds one weight for every run of characters: whether its text has the purpose. */
export const SPELLING_PART = 'intents.spelling'
export const SPELLING_LABELS = ['with'] as const

export function newSpelling(model: Parts): Spelling {
  return { head: headOf(model, SPELLING_PART, SPELLING_LABELS), characters: newCharacters() }
}

export function newCharacters(): Distinct {
  return newDistinct(MOST_RUNS)
}

/** How much the spelling speaks for the purpose of the venue beside what the words say, as a logarithm of odds. */
export function spellingOdds({ head, characters }: Spelling, tokens: Tokens, venue: Venue): number {
  charactersOf(tokens, venue, characters)
  return logOddsOf(head, characters)
}

/** The runs of characters of the first words and signs, apart for every venue; one at least. */
export function charactersOf({ text, start, end, count }: Tokens, venue: Venue, into: Distinct): void {
  takeBack(into, 0)
  const salt = mix(HASH_START, SALT + VENUES.indexOf(venue))
  addFeature(into, salt)
  for (let at = 0; at < count && into.count < MOST_RUNS; at += 1) addCharacters(text, start[at]!, Math.min(end[at]!, start[at]! + MOST_LETTERS), salt, into)
}

const MOST_LETTERS = 20
/** Enough for some six hundred characters of text. */
const MOST_RUNS = 2000
const SALT = 300
