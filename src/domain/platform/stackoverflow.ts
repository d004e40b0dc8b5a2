import type { SearchFacts } from './facts.ts'

export const stackoverflow: SearchFacts = {
  number: 3,
  name: 'Stack Overflow',
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 120,
  longestLookBackDays: null,
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
}
