import type { SearchFacts } from './facts.ts'

export const news: SearchFacts = {
  number: 8,
  name: 'News',
  glyph: { letters: 'N', colour: '#4b5563' },
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 1800,
  longestLookBackDays: null,
  writing: { family: 'news', venue: null, mostlyEnglish: false },
  links: {
    // Addresses that no other platform owns count as news.
    owns: () => false,
    authorIn: pageIn,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

/** A page stands for its author: the address without query, fragment and final slash, always https. */
function pageIn(url: URL): string {
  return `https://${url.host.replace(/\.$/, '')}${url.pathname.replace(/\/+$/, '')}`
}
