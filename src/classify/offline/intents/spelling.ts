import type { Intent } from '../../../domain/mention/classification.ts'
import { VENUES, type Venue } from '../cues/signs.ts'
import { logOddsOf } from '../model/heads.ts'
import { headOf, type ModelFileHead, type Parts } from '../model/model-file.ts'
import { addFeature, type Buckets, type Distinct, newDistinct, takeBack } from '../text/features.ts'
import { HASH_START, lowerOf, MAX_CHARACTERS, mix } from '../text/tokens.ts'

/**
 * Under videos many words are misspelled or run together. Strong regularisation shrinks the weights; `loudness`
 * restores them. A higher factor for reviews overstates certainty.
 */
export const SPELLED: Partial<Readonly<Record<Venue, { intent: Intent; loudness: number }>>> = {
  video: { intent: 'promotional', loudness: 3 },
  reviews: { intent: 'bug_report', loudness: 2 },
}

export interface Spelling {
  head: ModelFileHead
  characters: Distinct
}

export const SPELLING_PART = 'intents.spelling'
export const SPELLING_LABELS = ['with'] as const

export function newSpelling(model: Parts): Spelling {
  return { head: headOf(model, SPELLING_PART, SPELLING_LABELS), characters: newCharacters() }
}

export function newCharacters(): Distinct {
  return newDistinct(MOST_RUNS)
}

/** Log odds that add to those of the words. */
export function spellingOdds({ head, characters }: Spelling, text: string, venue: Venue): number {
  charactersOf(text, venue, characters)
  return oddsOfRuns(head, characters, venue)
}

/** `runs` must not be empty. */
export function oddsOfRuns(head: ModelFileHead, runs: Buckets, venue: Venue): number {
  return (SPELLED[venue]?.loudness ?? 0) * logOddsOf(head, runs)
}

/** At least one run. Runs cross word edges, which carry information. */
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

/** Lower case with single spaces, also at the edges. */
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

function isSpace(code: number): boolean {
  return code === SPACE || (code >= 9 && code <= 13) || code === 0xa0
}

const SPACE = 32
/** More lengths cost time for little information. */
const LENGTHS = [2, 3, 4, 6, 8]
/** Without the final space. */
const MOST_READ = 500
const LINE = new Uint16Array(MOST_READ + 1)
/** One run stands for the venue. */
const MOST_RUNS = LENGTHS.length * LINE.length + 1
const SALT = 300
