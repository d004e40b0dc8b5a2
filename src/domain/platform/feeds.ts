import type { SearchFacts, WithPlaces } from './facts.ts'
import { pageAsAuthor } from './links.ts'

export const feeds: SearchFacts & WithPlaces = {
  number: 16,
  name: 'Feeds',
  glyph: { letters: 'fd', colour: '#b45309' },
  mode: 'search',
  readsWholeFeed: true,
  hasPlaces: true,
  pollSeconds: 900,
  longestLookBackDays: 0,
  feedHosts: [],
  writing: { family: 'news', venue: null, mostlyEnglish: false },
  links: {
    // A feed's posts lie on any host, and addresses that no platform owns count as news.
    owns: () => false,
    authorIn: pageAsAuthor,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}
