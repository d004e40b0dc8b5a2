import { readWordList } from '../../kernel/word-list.ts'

/** Ends of the domains under which Google Search and Maps are reached. */
const ENDS = readWordList('sources/googlemaps/google-domain-endings')

/** Where links to places are shortened, and the sites to which they lead. Other parts of Google are not among them. */
export const LINK_HOSTS: readonly string[] = [
  'maps.app.goo.gl',
  'goo.gl',
  'g.page',
  'search.google.com',
  ...ENDS.flatMap((end) => [`google.${end}`, `www.google.${end}`, `maps.google.${end}`]),
]

/**
 * Whether an address leads to one of Google's sites for links and maps, at its usual port and as nobody in particular.
 */
export function isOnGoogle(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
  return ADDRESSED.has(url.hostname) && url.port === '' && url.username === '' && url.password === ''
}

const ADDRESSED = new Set(LINK_HOSTS)

/** Where Google asks about cookies before it shows a page. These are read, never asked. */
export const CONSENT_HOSTS: readonly string[] = ENDS.map((end) => `consent.google.${end}`)
