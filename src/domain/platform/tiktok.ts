import type { SearchFacts } from './facts.ts'

export const tiktok: SearchFacts = {
  number: 10,
  name: 'TikTok',
  mode: 'search',
  readsWholeFeed: false,
  pollSeconds: 21_600,
  longestLookBackDays: null,
  writing: { family: 'social', venue: 'video', mostlyEnglish: false },
}
