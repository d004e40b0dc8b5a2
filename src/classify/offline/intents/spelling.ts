import type { Intent } from '../../../domain/mention/classification.ts'
import { VENUES, type Venue } from '../cues/signs.ts'
import { logOddsOf } from '../model/heads.ts'
import { headOf, type ModelFileHead, type Parts } from '../model/model-file.ts'
import { addFeature, type Buckets, type Distinct, newDistinct, takeBack } from '../text/features.ts'
import { HASH_START, lowerOf, MAX_CHARACTERS, mix } from '../text/tokens.ts'

/**
 * The purpose for which the spelling of words counts besides the words, venue by venue, and how loud: where words are
 * misspelled, cut up or run together, as under videos, the characters in and between them carry over what whole words
 * do not. The runs are learned with a hard pull towards nothing, which leaves them too quiet beside the words. In
 * reviews louder than this would make the verdict surer than it is right.
 */
export const SPELLED: Partial<Readonly<Record<Venue, { intent: Intent; loudness: number }>>> = {
  video: { intent: 'promotional', loudness: 3 },
  reviews: { intent: 'bug_report', loudness: 2 },
}

export interface Spelling {
  head: ModelFileHead
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
export function spellingOdds({ head, characters }: Spelling, text: string, venue: Venue): number {
  charactersOf(text, venue, characters)
  return oddsOfRuns(head, characters, venue)
}

/** What the runs of a text of this venue, of which there is at least one, say as loud as they count there. */
export function oddsOfRuns(head: ModelFileHead, runs: Buckets, venue: Venue): number {
  return (SPELLED[venue]?.loudness ?? 0) * logOddsOf(head, runs)
}

/**
 * The runs of characters of the beginning of a text, apart for every venue; one at least. They run on from word to
 * word: which endings and beginnings meet tells as much as the words do. White space is one space, also before and
 * behind the text.
 */
export function charactersOf(text: string, venue: Venue, into: Distinct): void {
  takeBack(into, 0)
  const salt = mix(HASH_START, SALT + VENUES.indexOf(venue))
  addFeature(into, salt)
  const length = lineOf(text)
  for (let from = 0; from < length; from += 1) {
    let hash = salt
    let end = from
    for (const until of LENGTHS) {
      if (from + until > length) break
      for (; end < from + until; end += 1) hash = mix(hash, LINE[end]!)
      addFeature(into, hash)
    }
  }
}

/** Puts the small letters of the beginning of the text into LINE; answers how many there are. */
function lineOf(text: string): number {
  const end = Math.min(text.length, MAX_CHARACTERS)
  let length = 0
  LINE[length++] = SPACE
  for (let at = 0; at < end && length < MOST_READ; at += 1) {
    const code = isSpace(text.charCodeAt(at)) ? SPACE : lowerOf(text.charCodeAt(at))
    if (code !== SPACE || LINE[length - 1] !== SPACE) LINE[length++] = code
  }
  if (LINE[length - 1] !== SPACE) LINE[length++] = SPACE
  return length
}

/** A space, what breaks lines or stands between columns, and the space that keeps words together. */
function isSpace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13) || code === 0xa0
}

const SPACE = 32
/**
 * Lengths of the runs: the long ones reach into the next word. Every length more costs time and room and tells little
 * beside its neighbours.
 */
const LENGTHS = [2, 3, 4, 6, 8]
/** So many characters are read, a space behind them not counted. */
const MOST_READ = 500
const LINE = new Uint16Array(MOST_READ + 1)
/** Runs of every length begin at each character, and one stands for the venue. */
const MOST_RUNS = LENGTHS.length * LINE.length + 1
const SALT = 300
