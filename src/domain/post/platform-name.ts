import type { Platform } from './platform.ts'

/** What people call each platform. */
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
