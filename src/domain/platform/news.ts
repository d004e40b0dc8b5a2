import type { SearchFacts } from './facts.ts'

export const news: SearchFacts = {
  number: 8,
  name: 'News',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 1800,
  longestLookBackDays: null,
  writing: { family: 'news', venue: null, mostlyEnglish: false },
}
