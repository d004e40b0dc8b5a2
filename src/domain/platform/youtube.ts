import type { SearchFacts } from './facts.ts'

export const youtube: SearchFacts = {
  number: 7,
  name: 'YouTube',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 7200,
  longestLookBackDays: null,
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
}
