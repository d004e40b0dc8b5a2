import type { SearchFacts } from './facts.ts'

export const instagram: SearchFacts = {
  number: 11,
  name: 'Instagram',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 43_200,
  longestLookBackDays: 10,
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
}
