import type { AuthorInLink, SearchFacts } from './facts.ts'
import { nobody, oneOf, segmentsOf } from './links.ts'

export const devto: SearchFacts = {
  number: 4,
  name: 'DEV',
  glyph: { letters: 'dev', colour: '#3b3b3b' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 120,
  longestLookBackDays: null,
  feedHosts: ['dev.to'],
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('dev.to'),
    authorIn,
    profileOfHandle: profileOf,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

const RESERVED = new Set(
  (
    't tags search latest top about enter settings challenges api admin badge code-of-conduct connect contact ' +
    'dashboard events faq feed guides help listings mod new ' +
    'notifications pod podcasts privacy reading-list readinglist rss shop signout_confirm terms videos'
  ).split(' '),
)

function authorIn(url: URL): AuthorInLink {
  const name = segmentsOf(url)[0]?.toLowerCase() ?? ''
  return /^\w{1,60}$/.test(name) && !RESERVED.has(name) ? profileOf(name) : nobody('this link of dev.to')
}

function profileOf(name: string): string {
  return `https://dev.to/${name}`
}
