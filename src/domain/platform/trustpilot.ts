import type { ReviewFacts } from './facts.ts'

export const trustpilot: ReviewFacts = {
  number: 14,
  name: 'Trustpilot',
  mode: 'reviews',
  readsWholeFeed: false,
  pollSeconds: 86_400,
  longestLookBackDays: null,
  writing: { family: 'reviews', venue: 'shop', mostlyEnglish: false },
}
