import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, numberIn, oneOf, segmentsOf } from './links.ts'

export const producthunt: SearchFacts = {
  number: 23,
  name: 'Product Hunt',
  glyph: { letters: 'ph', colour: '#b8341b' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 900,
  longestLookBackDays: 0,
  feedHosts: [],
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('producthunt.com'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: null,
    postIdIn: ({ searchParams }) => {
      const comment = numberIn(searchParams.get('comment') ?? undefined)
      return comment === null ? null : `comment:${comment}`
    },
  },
  handles: null,
}

const PAGES = new Set(['products', 'posts'])

function authorIn(url: URL): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  if (/^@[\w-]{1,60}$/.test(first)) return profileOf(first.slice(1))
  return PAGES.has(first) && second !== '' ? NEEDS_RESOLVING : nobody('this link of Product Hunt')
}

function profileOf(name: string): string {
  return `https://www.producthunt.com/@${name.toLowerCase()}`
}
