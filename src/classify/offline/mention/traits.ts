import { INTENTS, SENTIMENTS } from '../../../domain/mention/classification.ts'
import type { Platform } from '../../../domain/platform/platforms.ts'
import { COMPARED } from '../comparing/comparing.ts'
import { SHAPES, VENUES, venueOf } from '../cues/signs.ts'
import { PURPOSES } from '../intents/intents.ts'
import { EVIDENCE } from '../relevance/evidence.ts'
import type { Findings } from './findings.ts'
import { bestOccurrence } from './occurrences.ts'
import { bounded, PLACE, SENTENCE, SIZE, writePlace, writeSentence, writeSize } from './standing-traits.ts'
import { STANDINGS } from './standings.ts'
import { NEIGHBOUR_TRAITS, THEME_TRAITS, writeNeighbours, writeThemes } from './theme-traits.ts'

/** Some traits of a mention. `write` finds zeros. */
interface TraitGroup {
  name: string
  traits: readonly string[]
  write(findings: Findings, into: Float64Array): void
}

/** Platforms of the training's posts, part of the model's format. Posts of others count by their venue alone. */
const LEARNED_PLATFORMS: readonly Platform[] = [
  'bluesky',
  'hackernews',
  'github',
  'stackoverflow',
  'devto',
  'reddit',
  'x',
  'youtube',
  'news',
  'linkedin',
  'tiktok',
  'instagram',
  'appstore',
  'googleplay',
  'trustpilot',
  'googlemaps',
]

/** The dimensions of the post's subject among the signs. */
const SUBJECT = 40

const GROUPS: readonly TraitGroup[] = [
  {
    name: 'relevance',
    traits: ['odds', 'odds-above', 'other-sense', 'own-link', 'spam', 'topic', 'word', 'automated'],
    write({ relevance, keyword, automated }, into) {
      const odds = bounded(relevance.own, MOST_ODDS) / 2
      into.set([odds, Math.max(0, odds), Number(relevance.own < OTHER_SENSE), Number(relevance.ownLink)])
      into.set([relevance.looksLikeSpam, keyword.kind === 'topic', keyword.isWord, automated].map(Number), 4)
    },
  },
  { name: 'evidence', traits: EVIDENCE, write: ({ evidence }, into) => into.set(evidence) },
  {
    name: 'tone',
    traits: ['positive-odds', 'negative-odds', 'opinion', 'positive', 'negative'],
    write({ tone }, into) {
      const [positive, neutral, negative] = [tone[POSITIVE]!, tone[NEUTRAL]!, tone[NEGATIVE]!]
      const oddsOf = (share: number) =>
        bounded(Math.log((share + LEAST_SHARE) / (neutral + LEAST_SHARE)), MOST_ODDS) / 2
      into.set([oddsOf(positive), oddsOf(negative), positive + negative, positive, negative])
    },
  },
  {
    name: 'purpose',
    traits: PURPOSES,
    write({ purposes }, into) {
      for (let at = 0; at < PURPOSES.length; at += 1) into[at] = bounded(purposes[at]!, MOST_PURPOSE) / 2
    },
  },
  {
    name: 'given',
    traits: PURPOSES,
    write({ purposes }, into) {
      for (let at = 0; at < PURPOSES.length; at += 1) into[at] = Number(purposes[at]! > 0)
    },
  },
  {
    name: 'compared',
    traits: COMPARED,
    write({ compared }, into) {
      into[COMPARED.indexOf(compared)] = 1
    },
  },
  {
    name: 'signs',
    traits: [...Array.from({ length: SHAPES }, (_, at) => `shape ${at}`), ...INTENTS],
    write({ signs }, into) {
      for (let at = 0; at < into.length; at += 1) into[at] = 2 * signs[at]!
    },
  },
  {
    name: 'subject',
    traits: Array.from({ length: SUBJECT }, (_, at) => String(at)),
    write: ({ signs }, into) => into.set(signs.subarray(signs.length - SUBJECT)),
  },
  {
    name: 'platform',
    traits: [...LEARNED_PLATFORMS, ...VENUES],
    write({ platform }, into) {
      const learned = LEARNED_PLATFORMS.indexOf(platform)
      if (learned >= 0) into[learned] = 1
      into[LEARNED_PLATFORMS.length + VENUES.indexOf(venueOf(platform))] = 1
    },
  },
  {
    name: 'stars',
    traits: ['none', '1', '2', '3', '4', '5'],
    write({ stars }, into) {
      into[stars ?? 0] = 1
    },
  },
  {
    name: 'best-standing',
    traits: STANDINGS,
    write({ occurrences }, into) {
      const best = bestOccurrence(occurrences)
      if (best !== null) into[STANDINGS.indexOf(best.standing)] = 1
    },
  },
  {
    name: 'standing',
    traits: STANDINGS,
    write({ occurrences }, into) {
      for (const { standing } of occurrences) into[STANDINGS.indexOf(standing)] = 1
    },
  },
  { name: 'size', traits: SIZE, write: writeSize },
  { name: 'place', traits: PLACE, write: writePlace },
  { name: 'sentence', traits: SENTENCE, write: writeSentence },
  { name: 'theme', traits: THEME_TRAITS, write: writeThemes },
  { name: 'neighbour', traits: NEIGHBOUR_TRAITS, write: writeNeighbours },
]

/** Traits that count differently on each kind of platform. */
const LOCAL = [
  'best-standing prose',
  'standing title',
  'standing heading',
  'standing field',
  'size log-words',
  'place density',
  'place first',
  'place twice',
  'relevance odds',
  'tone positive',
  'tone negative',
]

const COMMON = GROUPS.flatMap(({ name, traits }) => traits.map((trait) => `${name} ${trait}`))
const LOCAL_AT = LOCAL.map((name) => COMMON.indexOf(name))
/** The dense inputs of the mention layer. A change of the list or its order needs a new training. */
export const TRAITS = [...COMMON, ...VENUES.flatMap((venue) => LOCAL.map((name) => `${venue}: ${name}`))]

/** A function that writes the traits in the order of TRAITS and returns them until its next call. */
export function traitWriter(): (findings: Findings) => Float64Array {
  const traits = new Float64Array(TRAITS.length)
  let from = 0
  const parts = GROUPS.map((group) => {
    const part = traits.subarray(from, from + group.traits.length)
    from += group.traits.length
    return { group, part }
  })
  return (findings) => {
    traits.fill(0)
    for (const { group, part } of parts) group.write(findings, part)
    const local = COMMON.length + VENUES.indexOf(venueOf(findings.platform)) * LOCAL.length
    for (const [at, common] of LOCAL_AT.entries()) traits[local + at] = traits[common]!
    return traits
  }
}

const POSITIVE = SENTIMENTS.indexOf('positive')
const NEUTRAL = SENTIMENTS.indexOf('neutral')
const NEGATIVE = SENTIMENTS.indexOf('negative')
const MOST_ODDS = 4
const MOST_PURPOSE = 3
/** Log-odds of relevance below which the post is about another sense. */
const OTHER_SENSE = -0.4
const LEAST_SHARE = 1e-4
