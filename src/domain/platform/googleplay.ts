import type { ReviewFacts } from './facts.ts'

export const googleplay: ReviewFacts = {
  number: 13,
  name: 'Google Play',
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  writing: { family: 'reviews', venue: null, mostlyEnglish: false },
}
