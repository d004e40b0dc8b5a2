import type { SearchFacts } from './facts.ts'

export const hackernews: SearchFacts = {
  number: 1,
  name: 'Hacker News',
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 60,
  longestLookBackDays: null,
  writing: { family: 'forum', venue: 'hackernews', mostlyEnglish: true },
}
