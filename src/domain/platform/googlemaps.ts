import type { ReviewFacts } from './facts.ts'

export const googlemaps: ReviewFacts = {
  number: 15,
  name: 'Google Maps',
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  writing: { family: 'reviews', venue: 'shop', mostlyEnglish: false },
}
