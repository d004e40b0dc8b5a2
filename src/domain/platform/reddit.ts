import type { SearchFacts } from './facts.ts'

export const reddit: SearchFacts = {
  number: 5,
  name: 'Reddit',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 600,
  longestLookBackDays: null,
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
}
