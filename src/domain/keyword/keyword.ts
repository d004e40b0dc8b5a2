import type { Uuid } from '../../kernel/ids.ts'
import { isSearchPlatform, type Platform, type ReviewPlatform, type SearchPlatform } from '../platform/platforms.ts'

export const KEYWORD_KINDS = ['brand', 'competitor', 'topic'] as const
export type KeywordKind = (typeof KEYWORD_KINDS)[number]

export const KEYWORD_STATUSES = ['active', 'muted', 'paused', 'capped'] as const
export type KeywordStatus = (typeof KEYWORD_STATUSES)[number]

export const KEYWORD_HEALTHS = ['healthy', 'noisy', 'quiet', 'capped', 'paused', 'new'] as const
export type KeywordHealth = (typeof KEYWORD_HEALTHS)[number]

/** Lengths in characters. */
export const KEYWORD_LIMITS = {
  perWorkspace: 500,
  batch: 100,
  termMin: 2,
  termMax: 80,
  contextMax: 300,
  terms: 50,
  termEntryMax: 80,
  authors: 100,
  authorEntryMax: 500,
  capMax: 1_000_000,
  welcomeCap: 200,
  reviewSources: 10,
  storefronts: 20,
} as const

export const NOISE_RULE = { scoredAtLeast: 20, relevantShareBelow: 0.3, windowDays: 14 } as const

export interface Matching {
  requiredTerms: string[]
  requiredMode: 'any' | 'all'
  excludedTerms: string[]
  excludedAuthors: string[]
  caseSensitive: boolean
}

export const DEFAULT_MATCHING: Matching = {
  requiredTerms: [],
  requiredMode: 'any',
  excludedTerms: [],
  excludedAuthors: [],
  caseSensitive: false,
}

export interface ReviewSource {
  platform: ReviewPlatform
  id: string
  url: string
  /** Empty where the platform has no storefronts. */
  countries: string[]
  /** Google Play only. */
  language: string | null
  connectedAt: Date
}

export interface Keyword {
  id: Uuid
  workspaceId: Uuid
  groupId: Uuid
  term: string
  kind: KeywordKind
  platforms: SearchPlatform[] | null
  context: string | null
  matching: Matching
  /** `matching.excludedAuthors` in normal form. */
  excludedAuthorKeys: string[]
  muted: boolean
  pausedForBalance: boolean
  pausedForNoise: boolean
  pausedForCap: boolean
  capOwn: number | null
  reviewSources: ReviewSource[]
  createdAt: Date
  judgedSince: Date
  /** Last change of platforms or matching, or last unmute; null without one. */
  collectsSince: Date | null
}

export interface Cap {
  mentions: number
  welcome: boolean
  own: number | null
}

/** The lower of the welcome credit's limit and the caller's own. */
export function capOf(own: number | null, welcomeLimits: boolean): Cap | null {
  if (welcomeLimits)
    return { mentions: Math.min(own ?? KEYWORD_LIMITS.welcomeCap, KEYWORD_LIMITS.welcomeCap), welcome: true, own }
  return own === null ? null : { mentions: own, welcome: false, own }
}

export function monthlyLimit(keyword: { capOwn: number | null; welcomeLimits: boolean }, metered: boolean) {
  return capOf(keyword.capOwn, metered && keyword.welcomeLimits)?.mentions ?? null
}

/** Trimmed, NFC, single spaces. */
export function normaliseTerm(term: string): string {
  return term.normalize('NFC').replace(/\s+/g, ' ').trim()
}

export function keywordStatusOf(
  keyword: Pick<Keyword, 'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap'>,
): KeywordStatus {
  if (keyword.muted) return keyword.pausedForBalance || keyword.pausedForNoise ? 'paused' : 'muted'
  return keyword.pausedForCap ? 'capped' : 'active'
}

/** Review platforms count by page. */
export function runsOn(keyword: Pick<Keyword, 'platforms' | 'reviewSources'>, platform: Platform): boolean {
  const reviewed = keyword.reviewSources.some((source) => source.platform === platform)
  return reviewed || isSearched(keyword, platform)
}

function isSearched(keyword: Pick<Keyword, 'platforms'>, platform: Platform): boolean {
  if (!isSearchPlatform(platform)) return false
  return keyword.platforms === null || keyword.platforms.includes(platform)
}
