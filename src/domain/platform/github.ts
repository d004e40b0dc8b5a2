import type { SearchFacts } from './facts.ts'

export const github: SearchFacts = {
  number: 2,
  name: 'GitHub',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 300,
  longestLookBackDays: null,
  writing: { family: 'developer', venue: null, mostlyEnglish: true },
}
