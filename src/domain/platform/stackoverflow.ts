import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, numberIn, oneOf, segmentsOf } from './links.ts'

export const stackoverflow: SearchFacts = {
  number: 3,
  name: 'Stack Overflow',
  glyph: { letters: 'so', colour: '#b4570a' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 120,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('stackoverflow.com'),
    authorIn: (url) => authorInSite(segmentsOf(url), SITE, 'this link of Stack Overflow'),
    profileOfHandle: null,
    profileOfId: (id) => profileOf(id, SITE),
    postIdIn: postIdInSite,
  },
  handles: null,
}

const SITE = 'https://stackoverflow.com'
const POSTS = new Set(['questions', 'q', 'a', 'posts'])

/** All sites of the network write the same addresses below `site`; `what` names the link in a refusal. */
export function authorInSite([first = '', id = '']: readonly string[], site: string, what: string): AuthorInLink {
  if (!/^\d{1,12}$/.test(id)) return nobody(what)
  if (first === 'users') return profileOf(id, site)
  return POSTS.has(first) ? NEEDS_RESOLVING : nobody(what)
}

function profileOf(id: string, site: string): string {
  return `${site}/users/${id}`
}

export function postIdInSite({ hash }: URL, [, first, , answer]: readonly string[]): string | null {
  const comment = hash.match(/^#comment(\d{1,20})_/)?.[1]
  return comment === undefined
    ? (hash.match(/^#(\d{1,20})$/)?.[1] ?? numberIn(answer) ?? numberIn(first))
    : `c:${comment}`
}
