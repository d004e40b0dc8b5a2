import type { PageInLink, ReviewFacts } from './facts.ts'
import { decodedSegmentsOf, nobody, oneOf } from './links.ts'
import { reviewCountry, reviewLanguage } from './storefront.ts'

export const googleplay: ReviewFacts = {
  number: 13,
  name: 'Google Play',
  glyph: { letters: 'gp', colour: '#0b7a4b' },
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'reviews', venue: null, mostlyEnglish: false },
  links: {
    owns: oneOf('play.google.com'),
    authorIn: () => nobody('a link of Google Play'),
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
  page: {
    owns: oneOf('play.google.com', 'market.android.com'),
    pageIn,
    storedId: (text) => (PACKAGE.test(text) ? text : null),
    urlOf: (id) => `https://play.google.com/store/apps/details?id=${id}`,
    hasCountries: true,
    hasLanguage: true,
  },
}

const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/

function pageIn(url: URL): PageInLink {
  const query = url.searchParams
  return { id: packageIn(url), country: reviewCountry(query.get('gl')), language: reviewLanguage(query.get('hl')) }
}

function packageIn(url: URL): string | null | undefined {
  const segments = decodedSegmentsOf(url)
  const path = segments.join('/')
  if (/^(?:store\/apps\/)?(?:details|datasafety)(?:\/[^/]+)?$/.test(path)) return url.searchParams.get('id')
  return path.startsWith('apps/testing/') ? segments[2] : null
}
