import type { Platform } from '../../../domain/post/platform.ts'

/** Platforms where people write alike. The order is part of the model's format: append, never reorder. */
export const FAMILIES = ['social', 'developer', 'reviews', 'forum', 'news'] as const
export type Family = (typeof FAMILIES)[number]

/** The family of a platform. */
export function familyOf(platform: Platform): Family {
  return FAMILY_OF[platform]
}

const FAMILY_OF: Readonly<Record<Platform, Family>> = {
  x: 'social',
  bluesky: 'social',
  tiktok: 'social',
  instagram: 'social',
  linkedin: 'social',
  youtube: 'social',
  github: 'developer',
  stackoverflow: 'developer',
  devto: 'developer',
  appstore: 'reviews',
  googleplay: 'reviews',
  trustpilot: 'reviews',
  googlemaps: 'reviews',
  reddit: 'forum',
  hackernews: 'forum',
  news: 'news',
}
