import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'

export const lobsters: SearchFacts = {
  number: 21,
  name: 'Lobsters',
  glyph: { letters: 'lo', colour: '#8f130a' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 180,
  longestLookBackDays: 0,
  feedHosts: ['lobste.rs'],
  writing: { family: 'forum', venue: 'hackernews', mostlyEnglish: true },
  links: {
    owns: oneOf('lobste.rs'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: profileOf,
    postIdIn,
  },
  handles: null,
}

const SHORT_ID = /^\w{4,8}$/

function authorIn(url: URL): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  const name = first === 'u' ? second : (first.match(/^~(.+)$/)?.[1] ?? '')
  if (/^[\w-]{1,40}$/.test(name)) return profileOf(name)
  return idOf(first, second) === null ? nobody('this link of Lobsters') : NEEDS_RESOLVING
}

function profileOf(name: string): string {
  return `https://lobste.rs/~${name.toLowerCase()}`
}

function postIdIn({ hash }: URL, [kind = '', id = '']: readonly string[]): string | null {
  const comment = hash.match(/^#c_(\w{4,8})$/)?.[1]
  return comment === undefined ? idOf(kind, id) : `c:${comment}`
}

function idOf(kind: string, id: string): string | null {
  return (kind === 's' || kind === 'c') && SHORT_ID.test(id) ? `${kind}:${id}` : null
}
