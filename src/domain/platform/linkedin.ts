import type { SearchFacts } from './facts.ts'

export const linkedin: SearchFacts = {
  number: 9,
  name: 'LinkedIn',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 43_200,
  longestLookBackDays: null,
  writing: { family: 'social', venue: null, mostlyEnglish: false },
}
