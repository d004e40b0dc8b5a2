/**
 * The twelve platforms where keywords are searched for. The order is part of the stored form: append, never reorder.
 */
export const SEARCH_PLATFORMS = [
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
] as const
/** The four platforms whose review pages are read. */
export const REVIEW_PLATFORMS = ['appstore', 'googleplay', 'trustpilot', 'googlemaps'] as const
export const PLATFORMS = [...SEARCH_PLATFORMS, ...REVIEW_PLATFORMS] as const

export type SearchPlatform = (typeof SEARCH_PLATFORMS)[number]
export type ReviewPlatform = (typeof REVIEW_PLATFORMS)[number]
export type Platform = (typeof PLATFORMS)[number]

/** The small number under which a platform is stored and kept in bit sets. */
export function platformNumber(platform: Platform): number {
  return PLATFORMS.indexOf(platform)
}

/** The platform behind a stored number. */
export function platformFromNumber(number: number): Platform {
  const platform = PLATFORMS[number]
  if (!platform) throw new RangeError(`no platform has the number ${number}`)
  return platform
}
