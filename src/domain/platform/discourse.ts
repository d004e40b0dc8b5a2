import type { SearchFacts, WithPlaces } from './facts.ts'
import { pageAsAuthor } from './links.ts'

export const discourse: SearchFacts & WithPlaces = {
  number: 18,
  name: 'Discourse',
  glyph: { letters: 'dc', colour: '#0e6f8a' },
  mode: 'search',
  readsWholeFeed: true,
  hasPlaces: true,
  pollSeconds: 120,
  longestLookBackDays: 0,
  feedHosts: [],
  writing: { family: 'forum', venue: null, mostlyEnglish: false },
  links: {
    // A forum lies on any host, and addresses that no platform owns count as news.
    owns: () => false,
    authorIn: pageAsAuthor,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}
