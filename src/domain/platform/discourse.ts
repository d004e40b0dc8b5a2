import type { SearchFacts } from './facts.ts'
import { pageAsAuthor } from './links.ts'

export const discourse: SearchFacts = {
  number: 18,
  name: 'Discourse',
  glyph: { letters: 'dc', colour: '#0e6f8a' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 120,
  longestLookBackDays: 0,
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
