import type { Source } from '../api/workspace.ts'

export type Platform = Source['platform']

/** Proper names, which no language translates. */
export const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  bluesky: 'Bluesky',
  hackernews: 'Hacker News',
  github: 'GitHub',
  stackoverflow: 'Stack Overflow',
  devto: 'DEV',
  reddit: 'Reddit',
  x: 'X',
  youtube: 'YouTube',
  news: 'News',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  instagram: 'Instagram',
  appstore: 'App Store',
  googleplay: 'Google Play',
  trustpilot: 'Trustpilot',
  googlemaps: 'Google Maps',
}

const REVIEW_PLATFORMS = ['appstore', 'googleplay', 'trustpilot', 'googlemaps'] as const

export type SearchPlatform = Exclude<Platform, (typeof REVIEW_PLATFORMS)[number]>

/** Platforms that a keyword can be looked for on; reviews come from connected pages. */
export const SEARCH_PLATFORMS = (Object.keys(PLATFORM_NAMES) as Platform[]).filter(isSearchPlatform)

function isSearchPlatform(platform: Platform): platform is SearchPlatform {
  return !(REVIEW_PLATFORMS as readonly Platform[]).includes(platform)
}

/** The platforms of an address such as `?platforms=reddit,x`, in the usual order; null for all. */
export function platformsIn(text: string | null): SearchPlatform[] | null {
  const named = new Set((text ?? '').split(','))
  const known = SEARCH_PLATFORMS.filter((platform) => named.has(platform))
  return known.length === 0 ? null : known
}
