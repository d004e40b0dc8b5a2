import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ACCOUNT_EVENTS } from './account-events.ts'
import { EVENT_LINE_MAX, eventLine } from './event-line.ts'

const keyword = { id: 'kw_x', term: 'acme', kind: 'brand', name: 'acme (Client)' }
const wallet = {
  balanceCents: 120,
  effectiveCents: 116,
  nextDayCents: 17,
  resumeCostCents: 33,
  activeKeywords: 1,
  pausedKeywords: 1,
}

test.each([
  [
    'keyword.capped',
    { keyword: { term: 'acme' }, cap: { mentions: 200 } },
    '“acme” has reached its monthly limit of 200 mentions',
  ],
  [
    'keyword.paused_for_balance',
    { keyword: { term: 'acme' }, wallet },
    '“acme” has stopped because the balance does not cover it',
  ],
  [
    'keyword.resumed',
    { keyword: { term: 'acme' }, reason: 'month_turned' },
    '“acme” collects again: a new month has begun',
  ],
  ['wallet.low', { wallet, lastCreditCents: 580 }, 'The balance is low: $1.16 left of the last credit of $5.80'],
  [
    'wallet.paused',
    { wallet, keywordsPaused: 1 },
    'Tracking is paused because the balance does not cover another day: 1 keyword stopped',
  ],
  [
    'wallet.resumed',
    { wallet, keywordsResumed: 3 },
    'Tracking goes on because the balance covers it again: 3 keywords resumed',
  ],
  [
    'mention.spike',
    { keyword, matches: 42, baseline: { meanPerHour: 2.6 } },
    'Unusually many mentions of “acme (Client)”: 42 in the last hour, usually 3',
  ],
  [
    'mention.spike',
    { keyword, matches: 42, baseline: { meanPerHour: 0.2 } },
    'Unusually many mentions of “acme (Client)”: 42 in the last hour, usually less than 1',
  ],
  [
    'sentiment.negative_spike',
    { keyword, negative: 12, relevant: 30, baseline: { share: 0.1 } },
    'Unusually many negative mentions of “acme (Client)”: 12 of 30 in the last 24 hours (40 %), 10 % in the week before',
  ],
  [
    'keyword.noisy',
    { keyword, windowDays: 14, scored: 40, relevant: 4 },
    'Most matches of “acme (Client)” are noise: 36 of 40 scored in 14 days',
  ],
  [
    'channel.failing',
    { channel: { label: 'hooks.example.com' }, failures: 7, lastError: 'HTTP 500' },
    'The channel “hooks.example.com” accepts no deliveries: the last 7 deliveries failed (HTTP 500)',
  ],
])('%s says what happened with its numbers', (event, data, text) => {
  expect(eventLine(event, { ...data, url: 'https://earshot.test/attention' })).toEqual({
    text,
    url: 'https://earshot.test/attention',
  })
})

test('an event without its numbers is still said, and one that nobody knows by its name', () => {
  for (const event of ACCOUNT_EVENTS) expect(eventLine(event, {}).text).toMatch(/^[A-Z][^:“{]+$|^a keyword [a-z ]+$/)
  expect(eventLine('keyword.found', { keyword })).toEqual({ text: 'keyword.found', url: null })
})

test('whatever people typed and receivers answered stays on one line of bounded length without anything unseen', () => {
  const strange = fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('\r\n', '\u2028', '\u202e', '\u200b', '\u0000', 'x'.repeat(100)),
    ),
    maxLength: 20,
  })
  fc.assert(
    fc.property(fc.constantFrom(...ACCOUNT_EVENTS), strange, strange, (event, name, lastError) => {
      const { text } = eventLine(event, {
        keyword: { term: name, name },
        channel: { label: name },
        failures: 5,
        lastError,
        reason: name,
      })
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\n]/u)
      expect([...text].length).toBeLessThanOrEqual(EVENT_LINE_MAX)
    }),
  )
})
