import type { ReviewFacts } from './facts.ts'

export const appstore: ReviewFacts = {
  number: 12,
  name: 'App Store',
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  writing: { family: 'reviews', venue: null, mostlyEnglish: false },
}
