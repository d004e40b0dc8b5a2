import { expect, test } from 'vitest'
import { centsPerRelevant } from '../app/month/relevant-in-month.ts'
import { noiseCents, relevantShare, stateOf } from './state.ts'

const RUNNING = {
  muted: false,
  pausedForBalance: false,
  pausedForNoise: false,
  pausedForCap: false,
  cap: null,
  platforms: null,
  reviewSources: [],
  stats: { noise: { scored: 40, relevant: 3, noisy: true }, thisMonth: 12 },
}
const PAGE = { platform: 'appstore' as const, id: '1', url: '', countries: [], language: null, connectedAt: '' }

test.each([
  [{}, 'Running', 'all platforms'],
  [{ platforms: ['x' as const] }, 'Running', '1 platform'],
  [{ platforms: [], reviewSources: [PAGE] }, 'Running', '1 review page'],
  [{ reviewSources: [PAGE, PAGE] }, 'Running', 'all platforms, 2 review pages'],
  [{ muted: true }, 'Muted', 'The team paused it.'],
  [{ muted: true, pausedForBalance: true }, 'Paused for balance', 'The balance ran out.'],
  [{ muted: true, pausedForNoise: true }, 'Paused for noise', '3 of 40 matches in 14 days were relevant.'],
  [
    { pausedForCap: true, cap: { mentions: 1000, welcome: false, own: 1000 } },
    'At the monthly limit',
    'The limit of 1,000 mentions is reached.',
  ],
  [
    { pausedForCap: true, cap: { mentions: 200, welcome: true, own: null } },
    'At the monthly limit',
    'The welcome credit allows 200 mentions a month. A top-up ends this limit.',
  ],
])('the state of a keyword with %j is %s', (part, label, why) => {
  expect(stateOf({ ...RUNNING, ...part })).toMatchObject({ label, why })
})

test('a keyword at its limit still runs, a muted keyword does not', () => {
  expect(stateOf({ ...RUNNING, pausedForCap: true }).running).toBe(true)
  expect(stateOf({ ...RUNNING, muted: true }).running).toBe(false)
})

test('nothing relevant has no price, and nothing scored has no share', () => {
  expect(centsPerRelevant(190, 100)).toBe(1.9)
  expect(centsPerRelevant(190, 0)).toBeNull()
  expect(relevantShare({ scored: 40, relevant: 10 })).toBe(0.25)
  expect(relevantShare({ scored: 0, relevant: 0 })).toBeNull()
})

test('noise costs its part of the mentions, and never more than all of them', () => {
  expect(noiseCents({ billableMentions: 100, mentionCents: 80 }, 25)).toBe(20)
  expect(noiseCents({ billableMentions: 100, mentionCents: 80 }, 120)).toBe(80)
  expect(noiseCents({ billableMentions: 0, mentionCents: 0 }, 3)).toBe(0)
})
