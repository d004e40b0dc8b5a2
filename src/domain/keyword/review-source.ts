import { canParse } from '../../kernel/can-parse.ts'
import { PLATFORM_FACTS, REVIEW_PLATFORMS, type ReviewPlatform } from '../platform/platforms.ts'
import { LONGEST_REVIEW_LANGUAGE } from '../platform/storefront.ts'

/** `country` and `language` are null when the link does not name them. */
export interface ReviewPage {
  platform: ReviewPlatform
  /** Store number, package name, domain or place id. */
  id: string
  country: string | null
  language: string | null
}

/** A short link or a numbered review. */
export type ReviewLink = ReviewPage | { needsResolving: true; platform: ReviewPlatform }

/** Lengths in characters. */
export const REVIEW_SOURCE_LIMITS = {
  perKeyword: 10,
  urlCharacters: 500,
  idCharacters: 200,
  countries: 20,
  languageMin: 2,
  languageMax: LONGEST_REVIEW_LANGUAGE,
} as const
export const PLATFORMS_WITH_COUNTRIES: readonly ReviewPlatform[] = REVIEW_PLATFORMS.filter(
  (platform) => PLATFORM_FACTS[platform].page.hasCountries,
)
export const PLATFORMS_WITH_LANGUAGE: readonly ReviewPlatform[] = REVIEW_PLATFORMS.filter(
  (platform) => PLATFORM_FACTS[platform].page.hasLanguage,
)

/** Links of places exceed the API's limit until resolved. */
const LONGEST_LINK = 4000

/** Null when the link has no page. Safe for any text. */
export function parseReviewLink(link: string): ReviewLink | null {
  const url = addressIn(link)
  return url === null ? null : readLink(url, true)
}

/** Null for an invalid id. */
export function reviewSourceFromId(
  platform: ReviewPlatform,
  id: string,
): { platform: ReviewPlatform; id: string } | null {
  const text = id.slice(0, LONGEST_LINK).trim()
  const stored = PLATFORM_FACTS[platform].page.storedId(text)
  return stored === null || stored.length > REVIEW_SOURCE_LIMITS.idCharacters ? null : { platform, id: stored }
}

/** `country` is for the App Store only; null means the default. */
export function canonicalReviewUrl(platform: ReviewPlatform, id: string, country: string | null): string {
  return PLATFORM_FACTS[platform].page.urlOf(id, country)
}

/** Also without a scheme, or with that of a store app. */
function addressIn(link: string): URL | null {
  const text = link.slice(0, LONGEST_LINK + 1).trim()
  if (text.length > LONGEST_LINK) return null
  const address = text
    .replace(/^(?:itms-apps|itms-appss|macappstore):(?:\/\/)?/i, 'https://')
    .replace(/^market:(?:\/\/)?/i, 'https://market.android.com/')
    .replace(/^\/\//, 'https://')
  const whole =
    /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^[^/?#]*\.[^/?#]*:\d/.test(address) ? address : `https://${address}`
  if (!/^https?:\/\//i.test(whole) || !canParse(whole)) return null
  return new URL(whole)
}

/** Hosts are compared whole: `apps.apple.com.evil.example` is not Apple's. */
function readLink(url: URL, followConsent: boolean): ReviewLink | null {
  const host = url.hostname.replace(/\.$/, '')
  if (url.username !== '' || url.password !== '' || url.port !== '') return null
  if (followConsent && /^consent\.google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.test(host)) return readConsent(url)
  const platform = REVIEW_PLATFORMS.find((known) => PLATFORM_FACTS[known].page.owns(host, url))
  return platform === undefined ? null : readPage(platform, url)
}

function readPage(platform: ReviewPlatform, url: URL): ReviewLink | null {
  const found = PLATFORM_FACTS[platform].page.pageIn(url)
  if (found === null) return null
  if ('needsResolving' in found) return { needsResolving: true, platform }
  const source = reviewSourceFromId(platform, found.id ?? '')
  return source === null ? null : { ...source, country: found.country ?? null, language: found.language ?? null }
}

/** Google's cookie consent names the page in the query. */
function readConsent(url: URL): ReviewLink | null {
  const target = url.searchParams.get('continue') ?? ''
  return canParse(target) && /^https?:/i.test(target) ? readLink(new URL(target), false) : null
}
