import type { AuthorInLink, PageInLink, ReviewFacts } from './facts.ts'
import { decodedSegmentsOf, nobody, oneOf, segmentsOf } from './links.ts'
import { DEFAULT_REVIEW_COUNTRY, reviewCountry } from './storefront.ts'

export const appstore: ReviewFacts = {
  number: 12,
  name: 'App Store',
  glyph: { letters: 'as', colour: '#0b63c5' },
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'reviews', venue: null, mostlyEnglish: false },
  links: {
    owns: oneOf('itunes.apple.com', 'apps.apple.com'),
    authorIn,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
  page: {
    owns: oneOf('apps.apple.com', 'itunes.apple.com'),
    pageIn,
    storedId,
    urlOf: (id, country) => `https://apps.apple.com/${country ?? DEFAULT_REVIEW_COUNTRY}/app/id${id}`,
    hasCountries: true,
    hasLanguage: false,
  },
}

const APP_NUMBER = /^\d{5,20}$/

function authorIn(url: URL): AuthorInLink {
  const [country = '', section, id = ''] = segmentsOf(url)
  const named = /^[a-z]{2}$/i.test(country) && section === 'reviews' && /^id\d{1,20}$/.test(id)
  return named
    ? `https://itunes.apple.com/${country.toLowerCase()}/reviews/${id}`
    : nobody('this link of the App Store')
}

function storedId(text: string): string | null {
  const number = text.replace(/^id/i, '')
  return APP_NUMBER.test(number) ? number : null
}

function pageIn(url: URL): PageInLink {
  const segments = decodedSegmentsOf(url)
  const query = url.searchParams
  const country = reviewCountry(segments[0]) ?? reviewCountry(query.get('cc')) ?? reviewCountry(query.get('country'))
  return { id: appNumber(segments, query), country }
}

const SECTIONS = new Set(
  'app developer artist app-bundle story room collection charts genre album book podcast movie tv-season'.split(' '),
)

/** The number of an app. Developers, bundles and other goods have numbers too, under other path words. */
function appNumber(segments: readonly string[], query: URLSearchParams): string | null {
  const last = segments.at(-1) ?? ''
  if (segments.includes('customerreviews') && segments.includes('rss'))
    return segments.find((segment) => /^id=\d+$/.test(segment))?.slice(3) ?? null
  if (last.toLowerCase() === 'viewcontentsuserreviews' || last.toLowerCase() === 'lookup') return query.get('id')
  // The first section word decides: the name after it may be any word.
  const section = segments.slice(0, -1).find((segment) => SECTIONS.has(segment.toLowerCase()))
  return section?.toLowerCase() === 'app' ? (last.match(/^id(\d+)$/i)?.[1] ?? null) : null
}
