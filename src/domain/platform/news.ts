import type { SearchFacts } from './facts.ts'
import { pageAsAuthor } from './links.ts'

export const news: SearchFacts = {
  number: 8,
  name: 'News',
  glyph: { letters: 'N', colour: '#4b5563' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 1800,
  longestLookBackDays: null,
  feedHosts: [],
  writing: { family: 'news', venue: null, mostlyEnglish: false },
  links: {
    // Addresses that no other platform owns count as news.
    owns: () => false,
    authorIn: pageAsAuthor,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}
