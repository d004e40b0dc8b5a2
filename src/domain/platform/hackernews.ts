import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'

export const hackernews: SearchFacts = {
  number: 1,
  name: 'Hacker News',
  glyph: { letters: 'Y', colour: '#c24e00' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 60,
  longestLookBackDays: null,
  feedHosts: ['news.ycombinator.com'],
  writing: { family: 'forum', venue: 'hackernews', mostlyEnglish: true },
  links: {
    owns: oneOf('news.ycombinator.com'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: profileOf,
    postIdIn: ({ searchParams }) => searchParams.get('id'),
  },
  handles: null,
}

const LISTS = new Set(['user', 'submitted', 'threads', 'favorites'])

function authorIn(url: URL): AuthorInLink {
  const [first = ''] = segmentsOf(url)
  const id = url.searchParams.get('id')?.trim() ?? ''
  if (LISTS.has(first) && /^[\w-]{1,40}$/.test(id)) return profileOf(id.toLowerCase())
  return first === 'item' && /^\d{1,15}$/.test(id) ? NEEDS_RESOLVING : nobody('this link of Hacker News')
}

function profileOf(name: string): string {
  return `https://news.ycombinator.com/user?id=${name}`
}
