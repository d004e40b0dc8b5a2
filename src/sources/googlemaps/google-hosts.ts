import { readWordList } from '../../kernel/word-list.ts'

const ENDS = readWordList('sources/googlemaps/google-domain-endings')

/** Shorteners of links to places and their targets; no other parts of Google. */
export const LINK_HOSTS: readonly string[] = [
  'maps.app.goo.gl',
  'goo.gl',
  'g.page',
  'search.google.com',
  ...ENDS.flatMap((end) => [`google.${end}`, `www.google.${end}`, `maps.google.${end}`]),
]

/** Accepts the usual ports and no credentials. */
export function isOnGoogle(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  return ADDRESSED.has(url.hostname) && url.port === '' && url.username === '' && url.password === ''
}

const ADDRESSED = new Set(LINK_HOSTS)

/** Read and never requested. */
export const CONSENT_HOSTS: readonly string[] = ENDS.map((end) => `consent.google.${end}`)
