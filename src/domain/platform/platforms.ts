import { appstore } from './appstore.ts'
import { bluesky } from './bluesky.ts'
import { devto } from './devto.ts'
import { discourse } from './discourse.ts'
import type { LiveFacts, PlatformFacts, ReviewFacts, SearchFacts, WithPlaces } from './facts.ts'
import { feeds } from './feeds.ts'
import { github } from './github.ts'
import { googlemaps } from './googlemaps.ts'
import { googleplay } from './googleplay.ts'
import { hackernews } from './hackernews.ts'
import { instagram } from './instagram.ts'
import { lemmy } from './lemmy.ts'
import { linkedin } from './linkedin.ts'
import { lobsters } from './lobsters.ts'
import { mastodon } from './mastodon.ts'
import { news } from './news.ts'
import { podcasts } from './podcasts.ts'
import { producthunt } from './producthunt.ts'
import { reddit } from './reddit.ts'
import { stackexchange } from './stackexchange.ts'
import { stackoverflow } from './stackoverflow.ts'
import { tiktok } from './tiktok.ts'
import { trustpilot } from './trustpilot.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

const SEARCHED = {
  bluesky,
  hackernews,
  github,
  stackoverflow,
  devto,
  reddit,
  x,
  youtube,
  news,
  linkedin,
  tiktok,
  instagram,
  feeds,
  mastodon,
  discourse,
  stackexchange,
  lemmy,
  lobsters,
  podcasts,
  producthunt,
} as const satisfies Record<string, LiveFacts | SearchFacts>

const REVIEWED = { appstore, googleplay, trustpilot, googlemaps } as const satisfies Record<string, ReviewFacts>

/** Every list and type of platforms derives from this table. */
export const PLATFORM_FACTS = { ...SEARCHED, ...REVIEWED } as const

export type SearchPlatform = keyof typeof SEARCHED
export type ReviewPlatform = keyof typeof REVIEWED
export type Platform = SearchPlatform | ReviewPlatform

export const SEARCH_PLATFORMS: readonly SearchPlatform[] = Object.keys(SEARCHED) as SearchPlatform[]
export const REVIEW_PLATFORMS: readonly ReviewPlatform[] = Object.keys(REVIEWED) as ReviewPlatform[]
export const PLATFORMS: readonly Platform[] = [...SEARCH_PLATFORMS, ...REVIEW_PLATFORMS]
/** Platforms whose places, such as feeds, workspaces name. */
export type NamedPlatform = {
  [On in Platform]: (typeof PLATFORM_FACTS)[On] extends WithPlaces ? On : never
}[Platform]
export const NAMED_PLATFORMS: readonly NamedPlatform[] = PLATFORMS.filter(hasPlaces)
/** The most that a list of a caller may name: all of them, and never fewer than 20. */
export const PLATFORMS_NAMED_MAX = Math.max(20, PLATFORMS.length)

function hasPlaces(platform: Platform): platform is NamedPlatform {
  return 'hasPlaces' in PLATFORM_FACTS[platform]
}

export function isLive(platform: Platform): boolean {
  return PLATFORM_FACTS[platform].mode === 'live'
}

export function isSearchPlatform(platform: Platform): platform is SearchPlatform {
  return PLATFORM_FACTS[platform].mode !== 'reviews'
}

export function isReviewPlatform(platform: Platform): platform is ReviewPlatform {
  return PLATFORM_FACTS[platform].mode === 'reviews'
}

export function factsOf(platform: Platform): PlatformFacts {
  return PLATFORM_FACTS[platform]
}

export function platformName(platform: Platform): string {
  return PLATFORM_FACTS[platform].name
}

export function platformNumber(platform: Platform): number {
  return PLATFORM_FACTS[platform].number
}

/** A bit set of platform numbers. */
export function platformBits(platforms: readonly Platform[]): number {
  return platforms.reduce((bits, platform) => bits | (1 << platformNumber(platform)), 0)
}

export const EVERY_PLATFORM_BIT: number = platformBits(PLATFORMS)

/** Above every number in use; lists by number have this length. */
export const PLATFORM_NUMBERS_END: number = Math.max(...PLATFORMS.map(platformNumber)) + 1

const BY_NUMBER: ReadonlyMap<number, Platform> = new Map(
  PLATFORMS.map((platform) => [platformNumber(platform), platform]),
)

export function platformFromNumber(number: number): Platform {
  const platform = BY_NUMBER.get(number)
  if (!platform) throw new RangeError(`no platform has the number ${number}`)
  return platform
}

/** The platform that reads everything which feeds on a host hold; null if none does. */
export function platformOfFeed(host: string): Platform | null {
  return PLATFORMS.find((platform) => factsOf(platform).feedHosts.includes(host)) ?? null
}
