import type { AuthorInLink, SearchFacts, WithHandles } from './facts.ts'
import { NEEDS_RESOLVING, nobody, numberIn, oneOf, segmentsOf } from './links.ts'

export const x: SearchFacts & WithHandles = {
  number: 6,
  name: 'X',
  glyph: { letters: 'X', colour: '#14171a' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 900,
  longestLookBackDays: 7,
  feedHosts: [],
  writing: { family: 'social', venue: null, mostlyEnglish: false },
  links: {
    owns: oneOf('x.com', 'twitter.com', 'mobile.x.com', 'mobile.twitter.com', 'm.twitter.com'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId,
    postIdIn: (_, segments) =>
      numberIn(segments[segments.findIndex((segment) => /^status(?:es)?$/i.test(segment)) + 1]),
  },
  handles: {
    isHandle: (name) => /^\w{1,15}$/.test(name),
    profile: 'https://x.com/',
    byId: 'https://x.com/i/user/',
  },
}

const RESERVED = new Set(
  (
    'i search hashtag home explore share settings intent about account compose download jobs login logout messages ' +
    'notifications privacy signup tos who_to_follow'
  ).split(' '),
)
const NAME = /^\w{1,20}$/

function authorIn(url: URL): AuthorInLink {
  const hashbang = url.pathname === '/' ? url.hash.match(/^#!(\/[^?#]*)/)?.[1] : undefined
  const [first = '', second = '', third = '', fourth = ''] = segmentsOf({ pathname: hashbang ?? url.pathname })
  const section = first.toLowerCase()
  if (section === 'intent') return authorInIntent(url)
  if (section === 'i' && second === 'user' && /^\d{1,20}$/.test(third)) return profileOfId(third)
  if (isStatus(section === 'i' ? statusBelowI(second, third, fourth) : [section, second])) return NEEDS_RESOLVING
  const name = section.replace(/^@/, '')
  return NAME.test(name) && !RESERVED.has(name) ? profileOf(name) : nobody('this link of X')
}

/** The path of a post without its author: /i/status/1 or /i/web/status/1. */
function statusBelowI(second: string, third: string, fourth: string): [word: string, id: string] {
  return second === 'web' ? [third, fourth] : [second, third]
}

function isStatus([word, id]: readonly [word: string, id: string]): boolean {
  return (word === 'status' || word === 'statuses') && /^\d{1,20}$/.test(id)
}

/** Follow and profile links name the person in the query. */
function authorInIntent(url: URL): AuthorInLink {
  const name = url.searchParams.get('screen_name')?.replace(/^@/, '') ?? ''
  const id = url.searchParams.get('user_id') ?? ''
  if (NAME.test(name)) return profileOf(name.toLowerCase())
  return /^\d{1,20}$/.test(id) ? profileOfId(id) : nobody('this link of X')
}

function profileOf(name: string): string {
  return `https://x.com/${name}`
}

function profileOfId(id: string): string {
  return `https://x.com/i/user/${id}`
}
