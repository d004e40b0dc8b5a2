import type { Keyword } from '../api/keywords.ts'
import { formatCount } from '../kit/count.tsx'
import type { Tone } from '../kit/tone.ts'
import { words } from './words.ts'

/** Whether a keyword collects, in words. */
export interface KeywordState {
  tone: Tone
  label: string
  /** Null where the label says all. */
  why: string | null
  running: boolean
}

type Stated = Pick<
  Keyword,
  'muted' | 'pausedForBalance' | 'pausedForNoise' | 'pausedForCap' | 'cap' | 'platforms' | 'reviewSources'
> & { stats: Pick<Keyword['stats'], 'noise' | 'thisMonth'> }

export function stateOf(keyword: Stated): KeywordState {
  const { muted, pausedForBalance, pausedForNoise, pausedForCap, stats } = keyword
  if (muted && pausedForBalance)
    return { tone: 'negative', label: words.states.balance, why: words.whyBalance, running: false }
  if (muted && pausedForNoise) {
    const { relevant, scored } = stats.noise
    return { tone: 'negative', label: words.states.noise, why: words.whyNoise(relevant, scored), running: false }
  }
  if (muted) return { tone: 'neutral', label: words.states.muted, why: words.whyMuted, running: false }
  if (pausedForCap) return { tone: 'warning', label: words.states.capped, why: whyCapped(keyword), running: true }
  return { tone: 'accent', label: words.states.running, why: placesOf(keyword), running: true }
}

function whyCapped({ cap }: Stated): string {
  if (cap === null) return words.whyCapped
  return cap.welcome ? words.whyWelcome(cap.mentions) : words.whyCap(cap.mentions)
}

function placesOf({ platforms, reviewSources }: Pick<Stated, 'platforms' | 'reviewSources'>): string {
  const searched = platforms === null ? words.allPlatforms : words.somePlatforms(platforms.length)
  if (reviewSources.length === 0) return searched
  const reviews = words.reviewPages(reviewSources.length)
  return platforms?.length === 0 ? reviews : `${searched}, ${reviews}`
}

/** The share of scored matches of the last 14 days that were relevant; null before the first score. */
export function relevantShare({ scored, relevant }: { scored: number; relevant: number }): number | null {
  return scored === 0 ? null : relevant / scored
}

/** Matches of the month against the limit. */
export function capNote({ cap, stats }: Pick<Keyword, 'cap' | 'stats'>): string {
  return cap === null ? words.noCap : words.ofCap(formatCount(stats.thisMonth), formatCount(cap.mentions))
}

/** The part of the price of mentions that the noise has. */
export function noiseCents(cost: { billableMentions: number; mentionCents: number }, noise: number): number {
  if (cost.billableMentions === 0) return 0
  return (cost.mentionCents * Math.min(noise, cost.billableMentions)) / cost.billableMentions
}
