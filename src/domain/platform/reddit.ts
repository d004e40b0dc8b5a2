import type { AuthorInLink, SearchFacts } from './facts.ts'
import { addressIn, NEEDS_RESOLVING, nobody, segmentsOf } from './links.ts'
import { LONGEST_ENTRY } from './names.ts'

export const reddit: SearchFacts = {
  number: 5,
  name: 'Reddit',
  glyph: { letters: 're', colour: '#d03a00' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 600,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
  links: {
    owns: (host) => isRedditHost(host) || host === 'redd.it',
    authorIn,
    authorInText,
    profileOfHandle: profileOf,
    profileOfId: null,
    postIdIn,
  },
  handles: null,
}

/** Without r/, from a name or link; null for other entries. */
export function parseSubreddit(entry: string): string | null {
  const text = entry.slice(0, LONGEST_ENTRY + 1).trim()
  if (text.length > LONGEST_ENTRY) return null
  const url = addressIn(text)
  const [first = '', second = ''] = url ? segmentsOf(url) : []
  if (url && (!isRedditHost(url.hostname) || first.toLowerCase() !== 'r')) return null
  const name = url ? second : (text.match(/^(?:\/?r\/)?([^/\s]+)\/?$/i)?.[1] ?? '')
  return /^(?:u_[\w-]{1,40}|[a-z0-9]\w{1,20})$/i.test(name) ? name.toLowerCase() : null
}

const NAME = /^[\w-]{1,40}$/

/** Other sub-domains are images, statistics or help. */
function isRedditHost(host: string): boolean {
  return /^(?:(?:www|old|new|np|m|sh|amp|i|[a-z]{2})\.)?reddit\.com$/.test(host)
}

function authorIn(url: URL, host: string): AuthorInLink {
  const [first = '', second = '', kind = '', id = ''] = segmentsOf(url)
  if (host === 'redd.it') return first === '' ? nobody('this link of Reddit') : NEEDS_RESOLVING
  const section = first.toLowerCase()
  if (section === 'user' || section === 'u') {
    return NAME.test(second) && second.toLowerCase() !== 'me' ? profileOf(second) : nobody('this link of Reddit')
  }
  // A community named after a person holds the posts on their own page.
  if (section === 'r' && /^u_[\w-]{1,40}$/i.test(second)) return profileOf(second.slice(2))
  if (section === 'r' && (kind === 'comments' || kind === 's') && id !== '') return NEEDS_RESOLVING
  if ((section === 'comments' || section === 'gallery' || section === 'tb') && second !== '') return NEEDS_RESOLVING
  return nobody(section === 'r' ? 'a subreddit' : 'this link of Reddit')
}

function authorInText(text: string): AuthorInLink | null {
  const name = text.match(/^\/?u(?:ser)?\/([^/\s]+)\/?$/i)?.[1]
  return name !== undefined && NAME.test(name) ? profileOf(name) : null
}

function profileOf(name: string): string {
  return `https://www.reddit.com/user/${name.toLowerCase()}`
}

function postIdIn({ hostname }: URL, segments: readonly string[]): string | null {
  const after = segments.findIndex((segment) => /^(?:comments|gallery|tb)$/i.test(segment)) + 1
  if (hostname.toLowerCase() === 'redd.it') return thing('t3', segments[0])
  if (after === 0) return null
  const comment = segments[after + 2]
  return comment === undefined ? thing('t3', segments[after]) : thing('t1', comment)
}

function thing(kind: 't1' | 't3', id: string | undefined): string | null {
  return id !== undefined && /^[0-9a-z]{1,13}$/i.test(id) ? `${kind}_${id.toLowerCase()}` : null
}
