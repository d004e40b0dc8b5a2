import { canParse } from '../../kernel/can-parse.ts'
import type { AuthorInLink, NeedsResolving, PageInLink, ReviewFacts } from './facts.ts'
import { decodedSegmentsOf, NEEDS_RESOLVING, nobody, segmentsOf } from './links.ts'

export const trustpilot: ReviewFacts = {
  number: 14,
  name: 'Trustpilot',
  glyph: { letters: '★', colour: '#00754a' },
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'reviews', venue: 'shop', mostlyEnglish: false },
  links: {
    owns: (host) => /^(?:[a-z]{2}(?:-[a-z]{2})?\.)?trustpilot\.com$/.test(host),
    authorIn,
    profileOfHandle: null,
    profileOfId: profileOf,
    postIdIn: (_, [, id]) => id?.toLowerCase(),
  },
  handles: null,
  page: {
    owns: (host) => /^(?:(?:www|[a-z]{2}(?:-[a-z]{2})?)\.)?trustpilot\.com$/.test(host),
    pageIn,
    storedId: companyDomain,
    urlOf: (id) => `https://www.trustpilot.com/review/${id}`,
    hasCountries: false,
    hasLanguage: false,
  },
}

const DOMAIN = /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)+$/

function authorIn(url: URL): AuthorInLink {
  const [first, id = ''] = segmentsOf(url)
  if (!/^[0-9a-z]{1,40}$/i.test(id)) return nobody('this link of Trustpilot')
  if (first === 'users') return profileOf(id.toLowerCase())
  return first === 'reviews' ? NEEDS_RESOLVING : nobody('this link of Trustpilot')
}

function profileOf(id: string): string {
  return `https://www.trustpilot.com/users/${id}`
}

function pageIn(url: URL): PageInLink | NeedsResolving | null {
  const [first = '', second = ''] = decodedSegmentsOf(url)
  if (first === 'review' || first === 'evaluate') return { id: second }
  return first === 'reviews' && /^[0-9a-f]{24}$/i.test(second) ? NEEDS_RESOLVING : null
}

function companyDomain(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (/\s/.test(text) || !canParse(address)) return null
  const { hostname, username } = new URL(address)
  const domain = hostname.replace(/\.$/, '')
  return username === '' && DOMAIN.test(domain) && !/^[\d.]+$/.test(domain) ? domain : null
}
