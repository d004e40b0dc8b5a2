import type { AuthorInLink, SearchFacts } from './facts.ts'
import { NEEDS_RESOLVING, nobody, oneOf, segmentsOf } from './links.ts'

export const instagram: SearchFacts = {
  number: 11,
  name: 'Instagram',
  glyph: { letters: 'ig', colour: '#b0266b' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 43_200,
  longestLookBackDays: 10,
  feedHosts: [],
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
  links: {
    owns: oneOf('instagram.com', 'm.instagram.com', 'instagr.am'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: null,
    postIdIn: (_, [first = '', second]) => (/^(?:p|reel|reels|tv)$/i.test(first) ? second : null),
  },
  handles: null,
}

const POSTS = new Set(['p', 'reel', 'reels', 'tv'])
const RESERVED = new Set(
  'p reel reels tv explore stories accounts about api developer direct directory legal share web'.split(' '),
)

function authorIn(url: URL): AuthorInLink {
  const [first = '', second = ''] = segmentsOf(url)
  const section = first.toLowerCase()
  if ((POSTS.has(section) && /^[\w-]{5,}$/.test(second)) || (section === 'share' && second !== ''))
    return NEEDS_RESOLVING
  const name = nameIn(section, second).replace(/^@/, '').toLowerCase()
  return /^[\w.]{1,30}$/.test(name) ? profileOf(name) : nobody('this link of Instagram')
}

/** The name behind /stories, or in the place of a section; empty where there is none. */
function nameIn(section: string, second: string): string {
  if (section === 'stories' && second !== 'highlights') return second
  return RESERVED.has(section) ? '' : section
}

function profileOf(name: string): string {
  return `https://www.instagram.com/${name}`
}
