import type { LiveFacts } from './facts.ts'

export const bluesky: LiveFacts = {
  number: 0,
  name: 'Bluesky',
  mode: 'live',
  readsWholeFeed: true,
  pollSeconds: null,
  longestLookBackDays: null,
  writing: { family: 'social', venue: null, mostlyEnglish: false },
}
