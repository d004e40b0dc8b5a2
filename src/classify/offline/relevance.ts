import { canParse } from '../../kernel/can-parse.ts'
import type { Subject } from '../contract.ts'
import { holdsPhrase, phraseSet } from './cues.ts'
import { cosine, type Directions } from './directions.ts'
import { sigmoid } from './heads.ts'
import type { PreparedKeyword } from './keyword.ts'
import type { Model } from './model-file.ts'
import type { Reading } from './reading.ts'
import { eachStem, type Places, placesOf, rarityOf } from './terms.ts'

/** How relevant a post is, with what spoke for it. */
export interface Relevance {
  /** 0 to 100, whole. */
  score: number
  places: Places
  ownLink: boolean
  /** A word of the post that the context names, or null. */
  shared: string | null
  /** A word of the post that the context excludes, or null. */
  excluded: string | null
  looksLikeSpam: boolean
}

/**
 * The matching rules have already found the term, so a post starts as relevant; only evidence moves it: how the term
 * stands in the post, words that the context shares or excludes, how near its
 * subject lies to the context's, and spam.
 */
export function relevanceOf(model: Model, directions: Directions, keyword: PreparedKeyword, reading: Reading, post: Subject['post']): Relevance {
  const places = placesOf(keyword.term, reading.tokens.text, reading.titleEnd)
  const ownLink = keyword.host !== null && post.links.some((link) => hostEndsWith(link, keyword.host!))
  const overlap = overlapOf(keyword, reading)
  const spam = spamOf(reading)
  let evidence = START + placeEvidence(keyword, places, ownLink) - spam
  if (keyword.everySense) evidence = Math.max(evidence + 1.5, WELCOME)
  else if (keyword.wanted.size > 0 || keyword.unwanted.size > 0) evidence += contextEvidence(model, directions, keyword, reading, overlap, places)
  const score = post.review ? 100 : Math.round(100 * sigmoid(evidence))
  return { score, places, ownLink, shared: overlap.shared, excluded: overlap.excluded, looksLikeSpam: spam > 0.7 }
}

function placeEvidence(keyword: PreparedKeyword, places: Places, ownLink: boolean): number {
  let evidence = 0
  if (places.inTitle) evidence += 0.4
  if (places.asHandle || places.asHashtag) evidence += 0.3
  if (ownLink) evidence += 0.9
  if (places.asName && keyword.kind !== 'topic') evidence += 0.25
  if (places.count >= 2) evidence += 0.15 * Math.min(4, places.count - 1)
  return evidence
}

function contextEvidence(model: Model, directions: Directions, keyword: PreparedKeyword, reading: Reading, overlap: Overlap, places: Places): number {
  let evidence = 2 * (1 - Math.exp(-overlap.wanted / 1.2)) - 2.2 * (1 - Math.exp(-overlap.unwanted / 0.8))
  // A rare name hardly has another sense; an everyday word without anything of the context beside it often does.
  const everyday = Math.max(0, Math.min(1, (9.5 - keyword.rarity) / 3))
  if (overlap.wanted === 0 && keyword.wanted.size >= 3 && !places.asHandle) evidence -= 0.25 * everyday
  return evidence + (0.4 + 0.6 * everyday) * subjectEvidence(model, directions, keyword, reading)
}

/** How near the post's subject is to the context's. Distance says little of short posts, and nothing across languages. */
function subjectEvidence(model: Model, directions: Directions, keyword: PreparedKeyword, { tokens, features }: Reading): number {
  if (keyword.direction === null) return 0
  const sum = new Float64Array(directions.dimensions)
  const counted = new Set<number>()
  let known = 0
  eachStem(tokens, (stem) => {
    if (counted.size >= MOST_STEMS || keyword.own.has(stem) || counted.has(stem)) return
    const rarity = rarityOf(model, stem)
    if (rarity < LEAST_RARITY) return
    counted.add(stem)
    if (directions.add(stem, Math.min(1, (rarity - 2) / 6), sum)) known += 1
  })
  if (known === 0) return 0
  const nearness = NEARNESS_SLOPE * (cosine(keyword.direction, sum) - USUAL_NEARNESS)
  const trust = nearness > 0 ? Math.min(1, known / 3) : features.english ? Math.min(1, known / 5) : 0.15
  return trust * Math.max(-MOST_NEARNESS, Math.min(MOST_NEARNESS, nearness))
}

interface Overlap {
  wanted: number
  unwanted: number
  shared: string | null
  excluded: string | null
}

/** The weights of the context's words that the post holds, each counted once. */
function overlapOf(keyword: PreparedKeyword, { tokens }: Reading): Overlap {
  const overlap: Overlap = { wanted: 0, unwanted: 0, shared: null, excluded: null }
  if (keyword.wanted.size + keyword.unwanted.size === 0) return overlap
  const counted = new Set<number>()
  const wordAt = (at: number) => tokens.text.slice(tokens.start[at]!, tokens.end[at]!)
  eachStem(tokens, (stem, at) => {
    const wanted = keyword.wanted.get(stem)
    const unwanted = wanted === undefined ? keyword.unwanted.get(stem) : undefined
    if ((wanted === undefined && unwanted === undefined) || counted.has(stem)) return
    counted.add(stem)
    overlap.wanted += wanted ?? 0
    overlap.unwanted += unwanted ?? 0
    if (wanted !== undefined) overlap.shared ??= wordAt(at)
    if (unwanted !== undefined) overlap.excluded ??= wordAt(at)
  })
  return overlap
}

/** Boilerplate of give-aways and lists of hashtags, 0 to about 2.5. */
function spamOf({ tokens, counts }: Reading): number {
  let spam = holdsPhrase(tokens, BOILERPLATE) ? 0.9 : 0
  if (counts.hashtags >= 5 && counts.hashtags > counts.words) spam += 0.9
  if (counts.hashtags >= 10) spam += 0.7
  return spam
}

function hostEndsWith(link: string, host: string): boolean {
  if (!canParse(link)) return false
  const { hostname } = new URL(link)
  return hostname === host || hostname.endsWith(`.${host}`)
}

/** A match without any further sign scores 68. */
const START = 0.75
/** What a post scores at least (92) when the context asks for every post about the term. */
const WELCOME = 2.5
/** The cosine at which a post says nothing for or against; most relevant posts lie above, most others below. */
const USUAL_NEARNESS = 0.36
const NEARNESS_SLOPE = 6
const MOST_NEARNESS = 1.7
const LEAST_RARITY = 3.6
const MOST_STEMS = 64
const BOILERPLATE = phraseSet([
  'retweet to win',
  'rt to win',
  'follow and rt',
  'follow and retweet',
  'like and retweet',
  'airdrop',
  'free followers',
  'get followers',
  'sub4sub',
  'follow for follow',
  'f4f',
  'l4l',
  'promo code',
  'dm for promo',
  'make money online',
  'earn money from home',
  'win a free',
])
