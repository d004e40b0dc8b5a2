import type { SearchFacts } from './facts.ts'

export const x: SearchFacts = {
  number: 6,
  name: 'X',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 900,
  longestLookBackDays: 7,
  writing: { family: 'social', venue: null, mostlyEnglish: false },
}
