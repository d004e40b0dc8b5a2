import type { SearchFacts } from './facts.ts'

export const devto: SearchFacts = {
  number: 4,
  name: 'DEV',
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 120,
  longestLookBackDays: null,
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
}
