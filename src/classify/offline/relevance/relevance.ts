import { RELEVANCE_THRESHOLD } from '../../../domain/mention/classification.ts'
import { canParse } from '../../../kernel/can-parse.ts'
import type { Subject } from '../../contract.ts'
import { holdsPhrase, phraseSet } from '../cues/cues.ts'
import { brandOdds, brandOf } from '../keyword/brands.ts'
import type { PreparedKeyword } from '../keyword/keyword.ts'
import { familyOf } from '../model/family.ts'
import { sigmoid } from '../model/heads.ts'
import type { TextReading } from '../text/reading.ts'
import { type Places, placesOf } from '../text/terms.ts'
import { hashesOf, KIND, type Tokens } from '../text/tokens.ts'
import type { Evidence } from './evidence.ts'
import { gatherEvidence } from './gather-evidence.ts'
import { type Leaning, leanOdds } from './marks.ts'
import { hasContext, oddsOf, type RelevanceModel } from './odds.ts'

export interface Relevance {
  /** 0 to 100, whole. */
  score: number
  /** Log-odds without the feedback of the team. */
  own: number
  /** Feedback of the team: the log-odds by feedback are `trust` times the own ones, plus `moved`. */
  trust: number
  moved: number
  places: Places
  ownLink: boolean
  /** A word of the post that the context names. */
  shared: string | null
  /** A word of the post that the context excludes. */
  excluded: string | null
  looksLikeSpam: boolean
  /** Which way feedback moved the score; null when the change is small. */
  marks: 'relevant' | 'noise' | null
}

/**
 * The matching rules have found the term, so a post without a context counts as relevant unless it is spam. With a
 * context, weights learned from other ambiguous words decide. `evidence` is valid until the next post.
 */
export function relevanceOf(
  model: RelevanceModel,
  keyword: PreparedKeyword,
  leaning: Leaning | null,
  reading: TextReading,
  post: Subject['post'],
  evidence: Evidence,
): Relevance {
  const places = placesOf(keyword.term, reading.tokens.text, reading.titleEnd)
  const ownLink =
    post.links.slice(0, MOST_LINKS).some((link) => leadsTo(keyword, link)) || namesHost(keyword, reading.tokens)
  const spam = spamOf(reading)
  gatherEvidence(model, keyword, reading, evidence, leaning !== null)
  const own = wordsOdds(model, keyword, reading, post, evidence) + placeOdds(keyword, places, ownLink) - spam
  const odds = leaning === null ? own : leanOdds(leaning, own, evidence)
  const trust = leaning?.trust ?? 1
  return {
    score: post.review ? 100 : Math.round(100 * sigmoid(odds)),
    own,
    trust,
    moved: odds - trust * own,
    places,
    ownLink,
    shared: evidence.shared,
    excluded: evidence.excluded,
    looksLikeSpam: spam > 0.7,
    marks: post.review || Math.abs(odds - own) < TELLING_MARKS ? null : sideOf(odds > own),
  }
}

/** For known brands without a context, weights learned from social chatter under the brands' names decide. */
function wordsOdds(
  model: RelevanceModel,
  keyword: PreparedKeyword,
  reading: TextReading,
  { platform }: Subject['post'],
  evidence: Evidence,
): number {
  const { label, kind } = keyword
  if (
    label !== null &&
    kind !== 'topic' &&
    !hasContext(keyword) &&
    familyOf(platform) === 'social' &&
    model.brands.known.has(brandOf(label))
  )
    return AT_THE_LINE + brandOdds(model.brands, model, reading, label)
  return oddsOf(model, keyword, reading, evidence)
}

/** Facts that only the platform knows and no labelled data set has. */
function placeOdds(keyword: PreparedKeyword, places: Places, ownLink: boolean): number {
  let odds = 0
  if (places.asHandle || places.asHashtag) odds += 0.3
  if (ownLink) odds += 2
  if (places.asName && keyword.kind !== 'topic') odds += 0.1
  return odds
}

/** Log-odds against relevance, 0 to about 2.5. */
function spamOf({ tokens, counts }: TextReading): number {
  let spam = holdsPhrase(tokens, BOILERPLATE) ? 0.9 : 0
  if (counts.hashtags >= 5 && counts.hashtags > counts.words) spam += 0.9
  if (counts.hashtags >= 10) spam += 0.7
  return spam
}

/** The host is the term, a subdomain of the term, or a domain named like the term. */
function leadsTo({ host, label }: PreparedKeyword, link: string): boolean {
  if ((host === null && label === null) || !canParse(link)) return false
  const { hostname } = new URL(link)
  if (host !== null) return hostname === host || hostname.endsWith(`.${host}`)
  return hostname.split('.').slice(-2)[0] === label
}

/** The text holds such an address, or the name with an ending such as ".com". */
function namesHost(keyword: PreparedKeyword, tokens: Tokens): boolean {
  if (keyword.label === null) return false
  let addresses = 0
  for (let at = 0; at < tokens.count && addresses < MOST_LINKS; at += 1) {
    if (tokens.kind[at] === KIND.address) {
      addresses += 1
      const address = tokens.text.slice(tokens.start[at]!, Math.min(tokens.end[at]!, tokens.start[at]! + 300))
      if (leadsTo(keyword, address.startsWith('www.') ? `https://${address}` : address)) return true
    } else if (
      tokens.hash[at] === keyword.words.at(-1) &&
      tokens.text.charCodeAt(tokens.end[at]!) === 46 &&
      at + 2 < tokens.count
    ) {
      if (tokens.start[at + 2] === tokens.end[at]! + 1 && ENDINGS.has(tokens.hash[at + 2]!)) return true
    }
  }
  return false
}

const AT_THE_LINE = Math.log(RELEVANCE_THRESHOLD / (100 - RELEVANCE_THRESHOLD))
const MOST_LINKS = 8
/** Change in log-odds from which the note mentions feedback. */
const TELLING_MARKS = 0.8
const ENDINGS = hashesOf('com io app ai co net org dev de')
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

function sideOf(moreRelevant: boolean): 'relevant' | 'noise' {
  return moreRelevant ? 'relevant' : 'noise'
}
