import type { Platform } from '../app/platforms.ts'
import { safeAddress } from '../app/post/safe-address.ts'
import type { Tone } from '../kit/tone.ts'

/** One web address alone names a stored post; everything else is the text of a post. */
export function explainBody(
  input: string,
  platform: Platform | null,
): { url: string } | { text: string; platform?: Platform } {
  const text = input.trim()
  if (!/\s/.test(text) && safeAddress(text) !== null) return { url: text }
  return { text, ...(platform === null ? {} : { platform }) }
}

export function outcomeOf(passed: boolean | null): { sign: string; tone: Tone } {
  if (passed === null) return { sign: '?', tone: 'warning' }
  return passed ? { sign: '✓', tone: 'positive' } : { sign: '✕', tone: 'negative' }
}

export function verdictOf(matched: boolean | null): { verdict: 'yes' | 'no' | 'unknown'; tone: Tone } {
  const { tone } = outcomeOf(matched)
  if (matched === null) return { verdict: 'unknown', tone }
  return { verdict: matched ? 'yes' : 'no', tone }
}
