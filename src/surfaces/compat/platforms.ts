import { PLATFORMS, type Platform, SEARCH_PLATFORMS, type SearchPlatform } from '../../domain/platform/platforms.ts'

/** Where the names of the other interface differ from ours. */
const RENAMED: Readonly<Partial<Record<Platform, string>>> = {
  x: 'twitter',
  devto: 'dev',
  feeds: 'newsletter',
  appstore: 'app_store_reviews',
  googleplay: 'google_play_reviews',
  trustpilot: 'trustpilot_reviews',
  googlemaps: 'google_reviews',
}

/** A second name of a platform there: one feed reader here reads what they tell apart. */
const ALSO_NAMED: ReadonlyMap<string, Platform> = new Map([['medium', 'feeds']])

/** Replies on Reddit, which are a source of their own there. */
export const REDDIT_REPLIES = 'reddit_comment'

/** Sources of the other vendor beyond the platforms that both read from the start. */
const ITS_OTHERS = ['firehose', 'newsletter', 'podcasts', 'producthunt', 'medium']

export function slugOf(platform: Platform): string {
  return RENAMED[platform] ?? platform
}

const BY_SLUG: ReadonlyMap<string, Platform> = new Map([
  ...PLATFORMS.map((platform) => [slugOf(platform), platform] as const),
  ...ALSO_NAMED,
])

/** Sources of the other vendor that are not collected here. They match nothing. */
export const UNCOLLECTED: readonly string[] = ITS_OTHERS.filter((slug) => !BY_SLUG.has(slug))

/** Every name that a filter may hold. */
export const FILTER_SLUGS: readonly string[] = [...BY_SLUG.keys(), REDDIT_REPLIES, ...UNCOLLECTED]

/** Every name that a keyword may hold; those that are not collected are refused by name. */
export const KEYWORD_SLUGS: readonly string[] = [
  ...SEARCH_PLATFORMS.map(slugOf),
  ...ALSO_NAMED.keys(),
  REDDIT_REPLIES,
  ...UNCOLLECTED,
]

export function isUncollected(slug: string): boolean {
  return UNCOLLECTED.includes(slug)
}

/** Null for replies on Reddit and for what is not collected. */
export function platformOf(slug: string): Platform | null {
  return BY_SLUG.get(slug) ?? null
}

export function slugOfPost(platform: Platform, isReply: boolean): string {
  return platform === 'reddit' && isReply ? REDDIT_REPLIES : slugOf(platform)
}

/** The platforms of a keyword as they are shown: both names of Reddit, and all for null. */
export function keywordSlugs(platforms: readonly SearchPlatform[] | null): string[] {
  return (platforms ?? SEARCH_PLATFORMS).flatMap((platform) =>
    platform === 'reddit' ? ['reddit', REDDIT_REPLIES] : [slugOf(platform)],
  )
}

/** Instagram is always among them, whatever a keyword names. */
export function keywordPlatforms(slugs: readonly string[]): SearchPlatform[] {
  const named = new Set(slugs.map((slug) => (slug === REDDIT_REPLIES ? 'reddit' : platformOf(slug))))
  return SEARCH_PLATFORMS.filter((platform) => named.has(platform) || platform === 'instagram')
}
