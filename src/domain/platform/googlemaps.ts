import type { AuthorInLink, NeedsResolving, PageInLink, ReviewFacts } from './facts.ts'
import { decoded, NEEDS_RESOLVING, nobody, segmentsOf } from './links.ts'

export const googlemaps: ReviewFacts = {
  number: 15,
  name: 'Google Maps',
  glyph: { letters: 'gm', colour: '#1a66d0' },
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'reviews', venue: 'shop', mostlyEnglish: false },
  links: {
    owns: ownsLink,
    authorIn,
    profileOfHandle: null,
    profileOfId: profileOf,
    postIdIn: null,
  },
  handles: null,
  page: {
    owns: (host, url) => isShortLink(host, url) || isGoogleHost(host),
    pageIn,
    storedId: placeId,
    urlOf: (id) => `https://www.google.com/maps/place/?q=place_id:${id}`,
    hasCountries: false,
    hasLanguage: false,
  },
}

const PLACE_ID = /^(?:ChIJ|GhIJ|EiI|E[ij])[\w-]+$/
const FEATURE_ID = /^0x([0-9a-f]{1,16}):0x([0-9a-f]{1,16})$/i

// People

function ownsLink(host: string, url: URL): boolean {
  if (host === 'maps.app.goo.gl' || (host === 'goo.gl' && url.pathname.startsWith('/maps/'))) return true
  const google = /^(maps\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.exec(host)
  return google !== null && (google[1] !== undefined || /^\/maps(?:\/|$)/.test(url.pathname))
}

function authorIn(url: URL, host: string): AuthorInLink {
  const segments = segmentsOf(url)
  if (host.endsWith('goo.gl')) return NEEDS_RESOLVING
  const [first = '', id = ''] = segments[0] === 'maps' ? segments.slice(1) : segments
  if (first === 'contrib' && /^\d{1,30}$/.test(id)) return profileOf(id)
  return first === 'reviews' ? NEEDS_RESOLVING : nobody('this link of Google Maps')
}

function profileOf(id: string): string {
  return `https://www.google.com/maps/contrib/${id}`
}

// Places

function isGoogleHost(host: string): boolean {
  return (
    host === 'maps.googleapis.com' || /^(?:(?:www|maps|search)\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/.test(host)
  )
}

function isShortLink(host: string, url: URL): boolean {
  if (url.pathname === '/') return false
  return host === 'maps.app.goo.gl' || host === 'g.page' || (host === 'goo.gl' && url.pathname.startsWith('/maps/'))
}

function pageIn(url: URL): PageInLink | NeedsResolving | null {
  if (isShortLink(url.hostname.replace(/\.$/, ''), url)) return NEEDS_RESOLVING
  const path = decoded(url.pathname)
  if (/^\/(?:maps\/)?contrib\//.test(path)) return null
  const id = namedPlace(url.searchParams) ?? placeInPath(path) ?? featureOf(url)
  if (id !== null) return { id }
  return /^\d{1,20}$/.test(url.searchParams.get('cid') ?? url.searchParams.get('ludocid') ?? '')
    ? NEEDS_RESOLVING
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
  return candidates.find((candidate) => candidate != null && PLACE_ID.test(candidate.trim())) ?? null
}

function placeInPath(path: string): string | null {
  return (
    path.match(/!19s(ChIJ[\w-]+)/)?.[1] ??
    path.match(/!1s(ChIJ[\w-]+)/)?.[1] ??
    path.match(/\/place\/place_id:([\w-]+)/)?.[1] ??
    null
  )
}

function featureOf(url: URL): string | null {
  const inPath = decoded(url.pathname).match(/!1s(0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16})(?![0-9a-f])/i)?.[1]
  const inFragment = decoded(url.hash).match(/[#&?]lrd=(0x[0-9a-f]{1,16}:0x[0-9a-f]{1,16})(?![0-9a-f])/i)?.[1]
  const inQuery = [url.searchParams.get('ftid'), url.searchParams.get('lrd')?.split(',')[0]].find(
    (candidate) => candidate != null && FEATURE_ID.test(candidate),
  )
  return inPath ?? inQuery ?? inFragment ?? null
}

function placeId(text: string): string | null {
  if (PLACE_ID.test(text)) return text
  const [, cell, cid] = text.match(FEATURE_ID) ?? []
  return cell !== undefined && cid !== undefined ? placeIdFromFeature(BigInt(`0x${cell}`), BigInt(`0x${cid}`)) : null
}

/**
 * Both ids hold the same two 64-bit numbers. A place id is a protobuf message whose field 1 has them as fixed-width
 * numbers, lowest byte first, in base64url without padding.
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
