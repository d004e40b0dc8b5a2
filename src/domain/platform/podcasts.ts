import type { AuthorInLink, SearchFacts } from './facts.ts'
import { nobody, numberIn, oneOf, segmentsOf } from './links.ts'

export const podcasts: SearchFacts = {
  number: 22,
  name: 'Podcasts',
  glyph: { letters: 'po', colour: '#6d28d9' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 300,
  longestLookBackDays: 0,
  feedHosts: [],
  writing: { family: 'news', venue: null, mostlyEnglish: false },
  links: {
    owns: oneOf('podcastindex.org'),
    authorIn,
    profileOfHandle: null,
    profileOfId: profileOf,
    postIdIn: ({ searchParams }) => numberIn(searchParams.get('episode') ?? undefined),
  },
  handles: null,
}

/** The author of an episode is its show. */
function authorIn(url: URL): AuthorInLink {
  const [first = '', id = ''] = segmentsOf(url)
  return first === 'podcast' && /^\d{1,15}$/.test(id) ? profileOf(id) : nobody('this link of the Podcast Index')
}

function profileOf(id: string): string {
  return `https://podcastindex.org/podcast/${id}`
}
