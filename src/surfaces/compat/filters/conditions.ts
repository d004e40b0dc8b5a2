import { INTENTS, type Intent, type Sentiment } from '../../../domain/mention/classification.ts'
import type { Uuid } from '../../../kernel/ids.ts'
import { platformOf, REDDIT_REPLIES } from '../platforms.ts'
import { Unsayable } from './alternative.ts'
import type { Condition } from './tree.ts'

/** Satisfied by everything, and by nothing. */
export const ALWAYS: Condition = [{}]
export const NEVER: Condition = []

/** Scores of 70 and more are high, of 40 and more medium. */
export const HIGH = 70
export const MEDIUM = 40

/** The sets of 0 (high), 1 (medium) and 2 (low) that can be said. Unscored mentions are in none. */
const RELEVANCE_SETS: ReadonlyMap<string, Condition> = new Map([
  ['0', [{ minRelevance: HIGH }]],
  ['0,1', [{ minRelevance: MEDIUM }]],
  ['2', [{ maxRelevance: MEDIUM - 1 }]],
  ['0,1,2', [{ minRelevance: 0 }]],
])

export function relevanceIn(scores: readonly number[]): Condition {
  const set = RELEVANCE_SETS.get([...new Set(scores)].sort().join(','))
  if (set === undefined) throw new Unsayable('relevance sets other than 0 | 0,1 | 2 | 0,1,2')
  return set
}

/** The complement among 0, 1 and 2. */
export function relevanceNotIn(scores: readonly number[]): Condition {
  return relevanceIn([0, 1, 2].filter((score) => !scores.includes(score)))
}

export function sourceIn(slugs: readonly string[]): Condition {
  const platforms = platformsOf(slugs)
  const named: Condition = platforms.length === 0 ? NEVER : [{ platforms }]
  return asksReplies(slugs) ? [...named, { platforms: ['reddit'], isReply: true }] : named
}

export function sourceNotIn(slugs: readonly string[]): Condition {
  const platforms = platformsOf(slugs)
  if (asksReplies(slugs)) return [{ notPlatforms: [...platforms, 'reddit'] }, { platforms: ['reddit'], isReply: false }]
  return platforms.length === 0 ? ALWAYS : [{ notPlatforms: platforms }]
}

function platformsOf(slugs: readonly string[]): string[] {
  return [...new Set(slugs.flatMap((slug) => platformOf(slug) ?? []))]
}

/** All of Reddit covers its replies. */
function asksReplies(slugs: readonly string[]): boolean {
  return slugs.includes(REDDIT_REPLIES) && !slugs.includes('reddit')
}

export function sentimentIn(sentiments: readonly Sentiment[]): Condition {
  return [{ sentiments: [...new Set(sentiments)] }]
}

export function sentimentNotIn(sentiments: readonly Sentiment[]): Condition {
  return [{ notSentiments: [...new Set(sentiments)] }]
}

export function languageIn(languages: readonly string[]): Condition {
  return [{ languages: [...new Set(languages)] }]
}

export function languageNotIn(languages: readonly string[]): Condition {
  return [{ notLanguages: [...new Set(languages)] }]
}

/** Tags that no mention here can have match nothing. */
export function tagIn(tags: readonly string[]): Condition {
  const intents = intentsOf(tags)
  return intents.length === 0 ? NEVER : [{ intents }]
}

export function tagNotIn(tags: readonly string[]): Condition {
  const notIntents = intentsOf(tags)
  return notIntents.length === 0 ? ALWAYS : [{ notIntents }]
}

function intentsOf(tags: readonly string[]): Intent[] {
  return INTENTS.filter((intent) => tags.includes(intent))
}

/** The keywords that exist among those that were named. */
export function keywordIn(ids: readonly Uuid[]): Condition {
  return ids.length === 0 ? NEVER : [{ keywordIds: [...new Set(ids)] }]
}

export function keywordNotIn(ids: readonly Uuid[]): Condition {
  return ids.length === 0 ? ALWAYS : [{ notKeywordIds: [...new Set(ids)] }]
}

export function ratingIn(ratings: readonly number[]): Condition {
  return [{ ratings: [...new Set(ratings)] }]
}

export function ratingNotIn(ratings: readonly number[]): Condition {
  return [{ notRatings: [...new Set(ratings)] }]
}

/** An ignored mention is not engaged. */
export function engagedIs(engaged: boolean): Condition {
  return engaged ? [{ status: 'done' }] : [{ status: 'open' }, { status: 'ignored' }]
}
