import type { AuthorInLink, SearchFacts } from './facts.ts'
import { bareHost, segmentsOf } from './links.ts'
import { authorInSite, postIdInSite } from './stackoverflow.ts'

export const stackexchange: SearchFacts = {
  number: 19,
  name: 'Stack Exchange',
  glyph: { letters: 'se', colour: '#1e5397' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 600,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
  links: {
    owns: (host) => siteOf(host) !== null,
    authorIn: (url, host) => authorIn(url, host),
    profileOfHandle: null,
    // Ids of people say their site, but not its host.
    profileOfId: null,
    postIdIn: (url, segments) => {
      const id = postIdInSite(url, segments)
      const site = siteOf(bareHost(url))
      return id === null || site === null ? null : `${site}:${id}`
    },
  },
  handles: null,
}

const OWN_HOSTS: ReadonlyMap<string, string> = new Map([
  ['serverfault.com', 'serverfault'],
  ['superuser.com', 'superuser'],
  ['askubuntu.com', 'askubuntu'],
  ['mathoverflow.net', 'mathoverflow.net'],
  ['stackapps.com', 'stackapps'],
  ['meta.serverfault.com', 'meta.serverfault'],
  ['meta.superuser.com', 'meta.superuser'],
  ['meta.askubuntu.com', 'meta.askubuntu'],
  ['meta.mathoverflow.net', 'meta.mathoverflow.net'],
  ['meta.stackexchange.com', 'meta.stackexchange'],
])

/** Stack Overflow in other languages, and the sites about each; in English it is a platform of its own. */
const STACK_OVERFLOW_HOST = /^((?:meta|(?:es|ja|pt|ru)(?:\.meta)?)\.stackoverflow)\.com$/

/** The name of a site in the API, from its host without `www.`; null for other hosts. */
function siteOf(host: string): string | null {
  const own = OWN_HOSTS.get(host) ?? host.match(STACK_OVERFLOW_HOST)?.[1]
  if (own !== undefined) return own
  const name = host.match(/^((?:[a-z0-9-]+\.)?[a-z0-9-]+)\.stackexchange\.com$/)?.[1]
  return name === undefined || name === 'api' || name === 'chat' ? null : name
}

function authorIn(url: URL, host: string): AuthorInLink {
  return authorInSite(segmentsOf(url), `https://${host}`, 'this link of Stack Exchange')
}
