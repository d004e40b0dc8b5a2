import { INTENTS, SENTIMENTS } from '../../../domain/mention/classification.ts'
import { factsOf, type Platform } from '../../../domain/platform/platforms.ts'
import { addDirection, type Directions } from '../model/directions.ts'
import { FAMILIES } from '../model/family.ts'
import type { TextReading } from '../text/reading.ts'
import { KIND, type Tokens } from '../text/tokens.ts'
import { hashesOfList } from '../text/word-list.ts'

/** Hacker News is no forum here because its users also show products and hire. */
export const VENUES = [...FAMILIES, 'video', 'shop', 'hackernews'] as const
export type Venue = (typeof VENUES)[number]

export function venueOf(platform: Platform): Venue {
  const { venue, family } = factsOf(platform).writing
  return venue ?? family
}

export interface SignContext {
  venue: Venue
  /** Out of five; null when unknown. */
  stars: number | null
  /** Cue weights by intent. */
  cues: Float64Array
  /** Probabilities of SENTIMENTS. */
  tone: Float64Array
}

export const SHAPES = 33
/** Neutral follows from the other two. */
const TOLD = [SENTIMENTS.indexOf('positive'), SENTIMENTS.indexOf('negative')]
const TONES = SHAPES + INTENTS.length
/** Signs that repeat for each venue: a link under a video is mostly an advertisement. */
const LOCALS = TONES + TOLD.length
const STARS = LOCALS + VENUES.length
const LOCAL = STARS + 6
/** Without the signs of the subject. */
export const SIGNS = LOCAL + LOCALS * VENUES.length
export const signCount = (directions: Directions) => SIGNS + directions.dimensions
export const cueSign = (intent: number) => SHAPES + intent
/** Once for all venues, and once for each. */
export const TONE_SIGNS: readonly number[] = [0, ...VENUES.map((_, place) => LOCAL + place * LOCALS)].flatMap((from) =>
  TOLD.map((_, at) => from + TONES + at),
)
/** The cue weight that gives a sign of 1. */
export const WHOLE_CUE = 4

/** Each about 0 to 1, of equal weight in short and long texts. */
export function signsOf(
  reading: TextReading,
  { venue, stars, cues, tone }: SignContext,
  directions: Directions,
  into: Float64Array,
): void {
  into.fill(0)
  shapeOf(reading, into)
  for (let at = 0; at < cues.length; at += 1) into[cueSign(at)] = cues[at]! / WHOLE_CUE
  for (let at = 0; at < TOLD.length; at += 1) into[TONES + at] = tone[TOLD[at]!]!
  const place = VENUES.indexOf(venue)
  into.copyWithin(LOCAL + place * LOCALS, 0, LOCALS)
  into[LOCALS + place] = SMALL
  into[STARS + (stars ?? 0)] = SMALL
  subjectOf(reading, directions, into)
}

function shapeOf({ tokens, counts, features, titleEnd }: TextReading, into: Float64Array): void {
  const persons = personsOf(tokens)
  const { words } = counts
  const first = tokens.count > 0 ? tokens.hash[0]! : 0
  const shapes = [
    counts.addresses > 0,
    counts.addresses > 1,
    persons.domains > 0,
    counts.addresses > 0 && words <= 10,
    counts.hashtags > 0,
    counts.hashtags > 2,
    counts.handles > 0,
    counts.questions > 0,
    persons.asksAtEnd,
    counts.questions > 1,
    counts.exclamations > 0,
    counts.exclamations > 2,
    persons.prices > 0,
    persons.shares > 0,
    counts.numbers > 0,
    counts.numbers > 3,
    words > 0 && persons.shouted * 3 > words,
    persons.shouted > 0,
    words <= 4,
    words <= 12,
    words <= 25,
    words > 60,
    persons.i > 0,
    persons.i > 2,
    persons.we > 0,
    persons.you > 0,
    persons.you > 0 && persons.i > 0,
    persons.i + persons.we + persons.you === 0,
    ASKING.has(first),
    ORDERING.has(first),
    persons.asksAtOnce,
    titleEnd > 0 || persons.lines > 0,
    features.negated.subarray(0, tokens.count).includes(1),
  ]
  for (let at = 0; at < SHAPES; at += 1) if (shapes[at]) into[at] = SMALL
}

function personsOf(tokens: Tokens) {
  const found = {
    i: 0,
    we: 0,
    you: 0,
    shouted: 0,
    domains: 0,
    prices: 0,
    shares: 0,
    lines: 0,
    asksAtEnd: false,
    asksAtOnce: false,
  }
  const { text, kind, hash, start, end, count } = tokens
  for (let at = 0; at < count; at += 1) {
    switch (kind[at]) {
      case KIND.word:
        found.shouted += tokens.shouted[at]!
        switch (ROLES.get(hash[at]!)) {
          case 'i':
            found.i += 1
            break
          case 'we':
            found.we += 1
            break
          case 'you':
            found.you += 1
            break
          case 'ending':
            if (at > 1 && kind[at - 1] === KIND.stop && end[at - 2] === start[at]! - 1) found.domains += 1
            break
        }
        break
      case KIND.number:
        if (isCurrency(text.charCodeAt(start[at]! - 1)) || isCurrency(text.charCodeAt(end[at]!))) found.prices += 1
        if (text.charCodeAt(end[at]!) === 37) found.shares += 1
        break
      case KIND.question:
        if (at >= count - 2) found.asksAtEnd = true
        if (found.lines === 0) found.asksAtOnce = true
        break
      case KIND.stop:
        if (text.charCodeAt(start[at]!) === 10) found.lines += 1
        break
    }
  }
  return found
}

function isCurrency(code: number): boolean {
  return code === 36 || code === 0xa3 || code === 0x20ac || code === 0xa5
}

/** The sum of word directions, scaled to the length `SUBJECT`. */
function subjectOf({ tokens, stem }: TextReading, directions: Directions, into: Float64Array): void {
  const sum = into.subarray(SIGNS)
  for (let at = 0; at < tokens.count && at < MOST_TOKENS; at += 1) {
    if (tokens.kind[at] !== KIND.word && tokens.kind[at] !== KIND.hashtag) continue
    const place = directions.placeOf(stem[at]!)
    if (place >= 0) addDirection(directions, place, 1, sum)
  }
  let squares = 0
  for (let at = 0; at < sum.length; at += 1) squares += sum[at]! * sum[at]!
  const scale = squares === 0 ? 0 : SUBJECT / Math.sqrt(squares)
  for (let at = 0; at < sum.length; at += 1) sum[at]! *= scale
}

/** Small, so that no sign outweighs the words. */
const SMALL = 0.5
const SUBJECT = 2
/** The subject shows in the beginning. */
const MOST_TOKENS = 400
export const ASKING = hashesOfList('cues/words/asking')
const ORDERING = hashesOfList('cues/words/ordering')
/** The last list with a word decides. */
const ROLES: ReadonlyMap<number, 'i' | 'we' | 'you' | 'ending'> = new Map([
  ...[...hashesOfList('cues/words/domain-endings')].map((hash) => [hash, 'ending'] as const),
  ...[...hashesOfList('cues/words/you')].map((hash) => [hash, 'you'] as const),
  ...[...hashesOfList('cues/words/we')].map((hash) => [hash, 'we'] as const),
  ...[...hashesOfList('cues/words/i')].map((hash) => [hash, 'i'] as const),
])
