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
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('stackoverflow.com'),
    authorIn,
    profileOfHandle: null,
    profileOfId: profileOf,
    postIdIn,
  },
  handles: null,
}

const POSTS = new Set(['questions', 'q', 'a', 'posts'])

function authorIn(url: URL): AuthorInLink {
  const [first = '', id = ''] = segmentsOf(url)
  if (!/^\d{1,12}$/.test(id)) return nobody('this link of Stack Overflow')
  if (first === 'users') return profileOf(id)
  return POSTS.has(first) ? NEEDS_RESOLVING : nobody('this link of Stack Overflow')
}

function profileOf(id: string): string {
  return `https://stackoverflow.com/users/${id}`
}

function postIdIn({ hash }: URL, [, first, , answer]: readonly string[]): string | null {
  const comment = hash.match(/^#comment(\d{1,20})_/)?.[1]
  return comment === undefined
    ? (hash.match(/^#(\d{1,20})$/)?.[1] ?? numberIn(answer) ?? numberIn(first))
    : `c:${comment}`
}
