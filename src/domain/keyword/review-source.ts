import { canParse } from '../../kernel/can-parse.ts'
import type { ReviewPlatform } from '../platform/platforms.ts'

/** A review page, found in a link. `country` and `language` are null when the link does not name them. */
export interface ReviewPage {
  platform: ReviewPlatform
  /** Store number, package name, company domain or place id, in the form under which it is stored. */
  id: string
  country: string | null
  language: string | null
}

/**
 * Behind a link that needs resolving stands a review page that only the platform can name: a short link, or a numbered
 * review.
 */
export type ReviewLink = ReviewPage | { needsResolving: true; platform: ReviewPlatform }

/** Limits of the review sources of a keyword. Lengths are in characters. */
export const REVIEW_SOURCE_LIMITS = {
  perKeyword: 10,
  urlCharacters: 500,
  idCharacters: 200,
  countries: 20,
  languageMin: 2,
  languageMax: 10,
} as const
export const DEFAULT_REVIEW_COUNTRY = 'us'
export const DEFAULT_REVIEW_LANGUAGE = 'en'
/** Platforms whose pages differ by storefront, and so take `countries`. */
export const PLATFORMS_WITH_COUNTRIES: readonly ReviewPlatform[] = ['appstore', 'googleplay']
/** The platform whose pages are read in one language. */
export const PLATFORMS_WITH_LANGUAGE: readonly ReviewPlatform[] = ['googleplay']

/**
 * Longest link that is looked at: links of places carry more than the API takes, and are read when they are resolved.
 */
const LONGEST_LINK = 4000
const APP_NUMBER = /^\d{5,20}$/
const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/
const DOMAIN = /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)+$/
const PLACE_ID = /^(?:ChIJ|GhIJ|EiI|E[ij])[\w-]+$/
const FEATURE_ID = /^0x([0-9a-f]{1,16}):0x([0-9a-f]{1,16})$/i

/** The review page that a link leads to; null when it leads to none, whatever its text is. */
export function parseReviewLink(link: string): ReviewLink | null {
  const url = addressIn(link)
  return url === null ? null : readLink(url, true)
}

/** A review page by platform and id, as people may write the id; null when the platform has no such ids. */
export function reviewSourceFromId(
  platform: ReviewPlatform,
  id: string,
): { platform: ReviewPlatform; id: string } | null {
  const text = id.slice(0, LONGEST_LINK).trim()
  const stored = STORED_IDS[platform](text)
  return stored === null || stored.length > REVIEW_SOURCE_LIMITS.idCharacters ? null : { platform, id: stored }
}

/**
 * The address of a review page in its one form. `country` is used for the App Store only, where null means the default
 * storefront.
 */
export function canonicalReviewUrl(platform: ReviewPlatform, id: string, country: string | null): string {
  if (platform === 'appstore') return `https://apps.apple.com/${country ?? DEFAULT_REVIEW_COUNTRY}/app/id${id}`
  if (platform === 'googleplay') return `https://play.google.com/store/apps/details?id=${id}`
  if (platform === 'trustpilot') return `https://www.trustpilot.com/review/${id}`
  return `https://www.google.com/maps/place/?q=place_id:${id}`
}

/** A storefront as two lowercase letters, null when it is none. `uk` is what people write for `gb`. */
export function reviewCountry(text: string | null | undefined): string | null {
  const code = text?.trim().toLowerCase() ?? ''
  if (!/^[a-z]{2}$/.test(code)) return null
  return code === 'uk' ? 'gb' : code
}

/**
 * A review language such as `de`, `pt-BR` or `zh-Hant-TW`, null when it is none, or longer than a keyword holds.
 * Withdrawn codes are replaced by their successors.
 */
export function reviewLanguage(text: string | null | undefined): string | null {
  const tag = text?.trim() ?? ''
  if (tag.length > REVIEW_SOURCE_LIMITS.languageMax || !/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,7}){0,2}$/.test(tag))
    return null
  const [language = '', ...parts] = tag.split(/[-_]/)
  const current = RENAMED_LANGUAGES.get(language.toLowerCase()) ?? language.toLowerCase()
  return [current, ...parts.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('-')
}

const RENAMED_LANGUAGES = new Map([
  ['iw', 'he'],
  ['in', 'id'],
])

const STORED_IDS: { readonly [On in ReviewPlatform]: (text: string) => string | null } = {
  appstore: (text) => {
    const number = text.replace(/^id/i, '')
    return APP_NUMBER.test(number) ? number : null
  },
  googleplay: (text) => (PACKAGE.test(text) ? text : null),
  trustpilot: companyDomain,
  googlemaps: placeId,
}

// Links

/** The address behind what people paste: without a scheme, or with the scheme of a store's own program. */
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
  if (host === 'apps.apple.com' || host === 'itunes.apple.com') return readAppStore(url)
  if (host === 'play.google.com' || host === 'market.android.com') return readGooglePlay(url)
  if (/^(?:(?:www|[a-z]{2}(?:-[a-z]{2})?)\.)?trustpilot\.com$/.test(host)) return readTrustpilot(url)
  if (followConsent && /^consent\.google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.test(host)) return readConsent(url)
  if (isShortMapsLink(host, url)) return { needsResolving: true, platform: 'googlemaps' }
  return isGoogleHost(host) ? readGoogleMaps(url) : null
}

function segmentsOf(url: URL): string[] {
  return url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function page(
  platform: ReviewPlatform,
  id: string | null | undefined,
  country: string | null = null,
  language: string | null = null,
): ReviewPage | null {
  const source = reviewSourceFromId(platform, id ?? '')
  return source === null ? null : { ...source, country, language }
}

// App Store

function readAppStore(url: URL): ReviewPage | null {
  const segments = segmentsOf(url)
  const query = url.searchParams
  const country = reviewCountry(segments[0]) ?? reviewCountry(query.get('cc')) ?? reviewCountry(query.get('country'))
  return page('appstore', appNumber(segments, query), country)
}

const APP_STORE_SECTIONS = new Set(
  'app developer artist app-bundle story room collection charts genre album book podcast movie tv-season'.split(' '),
)

/**
 * The number of an app; developers, bundles and other goods of the store have numbers too, under other words of the
 * path.
 */
function appNumber(segments: readonly string[], query: URLSearchParams): string | null {
  const last = segments.at(-1) ?? ''
  if (segments.includes('customerreviews') && segments.includes('rss'))
    return segments.find((segment) => /^id=\d+$/.test(segment))?.slice(3) ?? null
  if (last.toLowerCase() === 'viewcontentsuserreviews' || last.toLowerCase() === 'lookup') return query.get('id')
  // The first such word says what the page is of: after it comes a name, which may be any word.
  const section = segments.slice(0, -1).find((segment) => APP_STORE_SECTIONS.has(segment.toLowerCase()))
  return section?.toLowerCase() === 'app' ? (last.match(/^id(\d+)$/i)?.[1] ?? null) : null
}

// Google Play

function readGooglePlay(url: URL): ReviewPage | null {
  const segments = segmentsOf(url)
  const path = segments.join('/')
  const query = url.searchParams
  const described = /^(?:store\/apps\/)?(?:details|datasafety)(?:\/[^/]+)?$/.test(path)
  const id = described ? query.get('id') : path.startsWith('apps/testing/') ? segments[2] : null
  return page('googleplay', id, reviewCountry(query.get('gl')), reviewLanguage(query.get('hl')))
}

// Trustpilot

function readTrustpilot(url: URL): ReviewLink | null {
  const [first = '', second = ''] = segmentsOf(url)
  if (first === 'review' || first === 'evaluate') return page('trustpilot', second)
  return first === 'reviews' && /^[0-9a-f]{24}$/i.test(second) ? { needsResolving: true, platform: 'trustpilot' } : null
}

/** The domain of a company, as written or at the head of an address. */
function companyDomain(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (/\s/.test(text) || !canParse(address)) return null
  const { hostname, username } = new URL(address)
  const domain = hostname.replace(/\.$/, '')
  return username === '' && DOMAIN.test(domain) && !/^[\d.]+$/.test(domain) ? domain : null
}

// Google Maps

function isGoogleHost(host: string): boolean {
  return (
    host === 'maps.googleapis.com' || /^(?:(?:www|maps|search)\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.test(host)
  )
}

function isShortMapsLink(host: string, url: URL): boolean {
  if (url.pathname === '/') return false
  return host === 'maps.app.goo.gl' || host === 'g.page' || (host === 'goo.gl' && url.pathname.startsWith('/maps/'))
}

/** Google may put its question about cookies in front of any page; the page itself stands in the query. */
function readConsent(url: URL): ReviewLink | null {
  const target = url.searchParams.get('continue') ?? ''
  return canParse(target) && /^https?:/i.test(target) ? readLink(new URL(target), false) : null
}

function readGoogleMaps(url: URL): ReviewLink | null {
  const path = decoded(url.pathname)
  if (/^\/(?:maps\/)?contrib\//.test(path)) return null
  const id = namedPlace(url.searchParams) ?? placeInPath(path) ?? featureOf(url)
  if (id !== null) return page('googlemaps', id)
  return /^\d{1,20}$/.test(url.searchParams.get('cid') ?? url.searchParams.get('ludocid') ?? '')
    ? { needsResolving: true, platform: 'googlemaps' }
    : null
}

function namedPlace(query: URLSearchParams): string | null {
  const candidates = [
    query.get('query_place_id'),
    query.get('placeid'),
    query.get('place_id'),
    query.get('q')?.match(/^\s*place_id:(.*)$/)?.[1],
    query.get('query')?.match(/^\s*place_id:(.*)$/)?.[1],
  ]
  return candidates.find((one) => one != null && PLACE_ID.test(one.trim())) ?? null
}

function placeInPath(path: string): string | null {
  return (
    path.match(/!19s(ChIJ[\w-]+)/)?.[1] ??
    path.match(/!1s(ChIJ[\w-]+)/)?.[1] ??
    path.match(/\/place\/place_id:([\w-]+)/)?.[1] ??
    null
  )
}

/** A feature id in path, query or fragment. */
function featureOf(url: URL): string | null {
  const inPath = decoded(url.pathname).match(/!1s(0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16})(?![0-9a-f])/i)?.[1]
  const inFragment = decoded(url.hash).match(/[#&?]lrd=(0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16})(?![0-9a-f])/i)?.[1]
  const inQuery = [url.searchParams.get('ftid'), url.searchParams.get('lrd')?.split(',')[0]].find(
    (one) => one != null && FEATURE_ID.test(one),
  )
  return inPath ?? inQuery ?? inFragment ?? null
}

function placeId(text: string): string | null {
  if (PLACE_ID.test(text)) return text
  const [, cell, cid] = text.match(FEATURE_ID) ?? []
  return cell !== undefined && cid !== undefined ? placeIdFromFeature(BigInt(`0x${cell}`), BigInt(`0x${cid}`)) : null
}

/**
 * The place id of a feature id: both name the same two 64-bit numbers. A place id is a small protobuf message, field 1
 * of which holds them as fixed-width numbers, lowest byte first, in base64url without padding.
 */
function placeIdFromFeature(cell: bigint, cid: bigint): string {
  return base64url([0x0a, 0x12, 0x09, ...littleEndian(cell), 0x11, ...littleEndian(cid)])
}

function littleEndian(number: bigint): number[] {
  return Array.from({ length: 8 }, (_, byte) => Number((number >> BigInt(8 * byte)) & 0xffn))
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function base64url(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  let text = ''
  for (let at = 0; at < bits.length; at += 6)
    text += BASE64URL[Number.parseInt(bits.slice(at, at + 6).padEnd(6, '0'), 2)]
  return text
}
