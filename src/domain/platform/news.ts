import type { SearchFacts } from './facts.ts'

export const news: SearchFacts = {
  number: 8,
  name: 'News',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 1800,
  longestLookBackDays: null,
  writing: { family: 'news', venue: null, mostlyEnglish: false },
  links: {
    // What no other platform owns is read as news.
    owns: () => false,
    authorIn: pageIn,
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}

/** A page stands for its author: the address without query, fragment and trailing slash, encrypted or not. */
function pageIn(url: URL): string {
  return `https://${url.host.replace(/\.$/, '')}${url.pathname.replace(/\/+$/, '')}`
}
