import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMarkup } from '../../../test/stand-ins/telegram.ts'
import type { MentionData } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import { MESSAGE_MAX, messageOf } from './render.ts'

const MENTION: MentionData = {
  id: 'mtn_1',
  keyword: { term: 'acme' },
  post: {
    platform: 'reddit',
    url: 'https://www.reddit.com/r/tools/1',
    text: 'Acme is <b>slow</b> & "dear"',
    title: 'Why?',
    publishedAt: '2026-11-20T13:00:00.000Z',
  },
  author: { name: 'Ann', handle: 'ann', url: null },
  review: null,
  classification: {
    relevance: 80,
    sentiment: 'negative',
    intents: ['bug_report', 'question'],
    note: 'It complains of the speed.',
  },
}

function written(data: object, kind: 'mention' | 'digest' | 'event' | 'test' = 'mention', event = 'mention.matched') {
  const message = messageOf({ id: 'dlv_1', kind, event, alerts: [{ id: 'feed_1', name: 'Rule <1>' }], data })
  const read = readMarkup(message.text)
  if ('problem' in read) throw new Error(`${read.problem} in ${message.text}`)
  return { ...message, ...read }
}

function digestOf(mentions: readonly MentionData[], more: Partial<Digest<MentionData>> = {}): Digest<MentionData> {
  return {
    period: {
      mode: 'daily',
      from: '2026-11-20T08:00:00.000Z',
      to: '2026-11-21T08:00:00.000Z',
      timezone: 'Europe/Berlin',
    },
    counts: { matched: 40, relevant: 12, positive: 3, neutral: 5, negative: 4, buyIntent: 2 },
    platforms: [{ platform: 'reddit', matched: 30, relevant: 10 }],
    top: [...mentions],
    negative: [],
    buyingSignals: [],
    ...more,
  }
}

test('a mention says who wrote what where, and how it was scored', () => {
  const { shown, button } = written(MENTION)
  expect(shown).toBe(
    'acme · Reddit · Ann\nWhy?\nAcme is <b>slow</b> & "dear"\nrelevance 80 · negative · bug report, question\nIt complains of the speed.',
  )
  expect(button).toEqual({ text: 'Open the post', url: 'https://www.reddit.com/r/tools/1' })
})

test('a review says its stars, and what is not there is left out', () => {
  const review = {
    ...MENTION,
    author: null,
    review: { rating: 2 },
    classification: null,
    post: { ...MENTION.post, title: null, text: '' },
  }
  expect(written(review).shown).toBe('acme · Reddit\n2 of 5 stars')
})

test('a digest shows its period on the clocks of the rule, its counts, and each mention once with its link', () => {
  const other = { ...MENTION, id: 'mtn_2', post: { ...MENTION.post, title: null, url: 'https://example.org/2' } }
  const { shown, links, button } = written(digestOf([MENTION], { negative: [MENTION, other] }), 'digest')
  expect(shown).toBe(
    [
      'Rule <1>',
      '20 Nov 2026, 09:00 to 21 Nov 2026, 09:00 (Europe/Berlin)',
      '12 relevant of 40 · 3 positive · 5 neutral · 4 negative · 2 buying signals',
      'Reddit 10',
      '',
      'Top mentions',
      '• Why? · Reddit',
      '',
      'Negative',
      '• Acme is <b>slow</b> & "dear" · Reddit',
    ].join('\n'),
  )
  expect([links, button]).toEqual([['https://www.reddit.com/r/tools/1', 'https://example.org/2'], null])
})

test('an account event is one line with a link', () => {
  const { shown, links } = written(
    { keyword: { term: 'acme <x>' }, url: 'https://earshot.example/keywords/kw_1' },
    'event',
    'mention.spike',
  )
  expect(shown).toMatch(/^Far more mentions than usual[^\n]*acme <x>[^\n]* Open$/)
  expect(links).toEqual(['https://earshot.example/keywords/kw_1'])
})

test('a test says that it is one', () => {
  expect(written({ message: 'This is a test.' }, 'test', 'test').shown).toBe('This is a test.')
})

/** What people and programs put into posts to break whatever shows them. */
const HOSTILE = [
  '<b>',
  '</b></a>',
  '<script>alert(1)</script>',
  '&lt;',
  '&amp;amp;',
  '<a href="tg://user?id=1">x</a>',
  '"',
  "'",
  '\u0000',
  '\u202e',
  '\u2066',
  '\ud800',
  '\udc00',
  '👩‍👩‍👧‍👦',
  '@channel_admin',
  '/start',
  '\r\n',
  'x'.repeat(65_536),
  '&'.repeat(5000),
  '👋'.repeat(5000),
]
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 8 })
  .map((parts) => parts.join(''))
const hostileMention = fc
  .record({
    term: hostileText,
    text: hostileText,
    title: fc.option(hostileText),
    name: hostileText,
    note: fc.option(hostileText),
    url: fc.oneof(fc.webUrl(), hostileText),
    id: fc.uuid(),
  })
  .map(
    ({ term, text, title, name, note, url, id }): MentionData => ({
      ...MENTION,
      id,
      keyword: { term },
      post: { ...MENTION.post, text, title, url },
      author: { name, handle: null, url: null },
      classification: { ...MENTION.classification!, note },
    }),
  )

describe('whatever a post holds', () => {
  const isSound = ({ text, shown, button, links }: ReturnType<typeof written>) => {
    expect(text.length).toBeLessThanOrEqual(MESSAGE_MAX)
    expect(shown.trim()).not.toBe('')
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(text).not.toContain('\0')
    expect(shown).not.toMatch(/(^|[^\p{L}\p{N}_])@\w/u)
    for (const address of [...links, ...(button ? [button.url] : [])]) expect(address).toMatch(/^https?:\/\//)
  }

  test('a message about it is markup that Telegram takes, and no longer than it takes', () => {
    fc.assert(
      fc.property(hostileMention, (mention) => isSound(written(mention))),
      { numRuns: 150 },
    )
  })

  test('so is a digest of many', () => {
    fc.assert(
      fc.property(fc.array(hostileMention, { maxLength: 10 }), (mentions) =>
        isSound(written(digestOf(mentions, { negative: mentions.slice(0, 5) }), 'digest')),
      ),
      { numRuns: 60 },
    )
  })

  test('so is the line of an event', () => {
    fc.assert(
      fc.property(hostileText, (term) => isSound(written({ keyword: { term }, url: term }, 'event', 'keyword.noisy'))),
      { numRuns: 100 },
    )
  })
})

test('a long text is cut where it can be seen', () => {
  const { shown } = written({ ...MENTION, post: { ...MENTION.post, text: 'word '.repeat(5000) } })
  expect(shown).toMatch(/word wor?d?[^\n]*…\nrelevance 80/)
  expect(shown.endsWith('It complains of the speed.')).toBe(true)
})

test('a digest that does not fit says that there is more', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({
    ...MENTION,
    id: `mtn_${at}`,
    post: { ...MENTION.post, title: '&'.repeat(300), url: `https://example.org/${'p'.repeat(300)}${at}` },
  }))
  const { shown, text } = written(digestOf(many), 'digest')
  expect(shown.endsWith('\n…')).toBe(true)
  expect(text.length).toBeGreaterThan(MESSAGE_MAX / 2)
})

test.each([
  ['no web address', 'javascript:alert(1)'],
  ['this machine', 'http://localhost:4400/x'],
  ['an address without a name', 'https://127.0.0.1/x'],
  ['nonsense', 'nonsense'],
  ['an endless address', `https://example.org/${'p'.repeat(2100)}`],
])('no button leads to %s, for which Telegram would refuse the message', (_, url) => {
  expect(written({ ...MENTION, post: { ...MENTION.post, url } }).button).toBeNull()
})
