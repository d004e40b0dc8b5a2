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

function written(
  data: object,
  kind: 'mention' | 'digest' | 'event' | 'test' = 'mention',
  event = 'mention.matched',
  publicUrl = 'https://earshot.example',
) {
  const outgoing = { id: 'dlv_1', kind, event, alerts: [{ id: 'feed_1', name: 'Rule <1>' }], data }
  const message = messageOf(outgoing, publicUrl)
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
  const { shown, buttons } = written(MENTION)
  expect(shown).toBe(
    'acme · Reddit · Ann\nWhy?\nAcme is <b>slow</b> & "dear"\nrelevance 80 · negative · bug report, question\nIt complains of the speed.',
  )
  expect(buttons).toEqual([
    { text: 'Open the post', url: 'https://www.reddit.com/r/tools/1' },
    { text: 'Open in Earshot', url: 'https://earshot.example/mentions/mtn_1' },
  ])
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

test('a digest shows its period on the clocks of the rule, its counts, and each mention once with its links', () => {
  const other = { ...MENTION, id: 'mtn_2', post: { ...MENTION.post, title: null, url: 'https://example.org/2' } }
  const { shown, links, buttons } = written(digestOf([MENTION], { negative: [MENTION, other] }), 'digest')
  expect(shown).toBe(
    [
      'Rule <1>',
      '20 Nov 2026, 09:00 to 21 Nov 2026, 09:00 (Europe/Berlin)',
      '12 relevant of 40 · 3 positive · 5 neutral · 4 negative · 2 buying signals',
      'Reddit 10',
      '',
      'Top mentions',
      '• Why? · Reddit · Open in Earshot',
      '',
      'Negative',
      '• Acme is <b>slow</b> & "dear" · Reddit · Open in Earshot',
    ].join('\n'),
  )
  expect(links).toEqual([
    'https://www.reddit.com/r/tools/1',
    'https://earshot.example/mentions/mtn_1',
    'https://example.org/2',
    'https://earshot.example/mentions/mtn_2',
  ])
  expect(buttons).toEqual([])
})

test('an account event is one line with a link', () => {
  const { shown, links } = written(
    { keyword: { term: 'acme <x>' }, url: 'https://earshot.example/keywords/kw_1' },
    'event',
    'mention.spike',
  )
  expect(shown).toMatch(/^Unusually many mentions of “acme <x>” Open$/)
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
  const isSound = ({ text, shown, buttons, links }: ReturnType<typeof written>) => {
    expect(shown.length).toBeLessThanOrEqual(MESSAGE_MAX)
    expect(shown.trim()).not.toBe('')
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(text).not.toContain('\0')
    expect(shown).not.toMatch(/(^|[^\p{L}\p{N}_])@\w/u)
    for (const address of [...links, ...buttons.map(({ url }) => url)]) expect(address).toMatch(/^https?:\/\//)
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
  const many = Array.from({ length: 25 }, (_, at) => ({
    ...MENTION,
    id: `mtn_${at}`,
    post: { ...MENTION.post, title: 'x'.repeat(300), url: `https://example.org/${'p'.repeat(300)}${at}` },
  }))
  const { shown } = written(digestOf(many), 'digest')
  expect(shown.endsWith('\n…')).toBe(true)
  expect(shown.length).toBeGreaterThan(MESSAGE_MAX / 2)
})

test.each([
  ['no web address', 'javascript:alert(1)'],
  ['this machine', 'http://localhost:4400/x'],
  ['an address without a name', 'https://127.0.0.1/x'],
  ['nonsense', 'nonsense'],
  ['an endless address', `https://example.org/${'p'.repeat(2100)}`],
])('no button leads to %s, for which Telegram would refuse the message', (_, url) => {
  expect(written({ ...MENTION, post: { ...MENTION.post, url } }).buttons).toEqual([
    { text: 'Open in Earshot', url: 'https://earshot.example/mentions/mtn_1' },
  ])
})

test.each(['http://localhost:4400', 'http://127.0.0.1:4400', 'http://earshot'])(
  'nothing leads to an Earshot at %s, which Telegram does not link to',
  (publicUrl) => {
    const mention = written(MENTION, 'mention', 'mention.matched', publicUrl)
    expect(mention.buttons.map(({ text }) => text)).toEqual(['Open the post'])
    const digest = written(digestOf([MENTION]), 'digest', 'digest', publicUrl)
    expect([digest.links, digest.shown.endsWith('• Why? · Reddit')]).toEqual([[MENTION.post.url], true])
  },
)

test('the longest digest of ordinary posts fits, because Telegram does not count addresses', () => {
  const ordinary = Array.from({ length: 20 }, (_, at) => ({
    ...MENTION,
    id: `mtn_${String(at).padStart(26, '0')}`,
    post: {
      ...MENTION.post,
      title: 'A title of some length '.repeat(4),
      url: `https://example.org/${'p'.repeat(100)}${at}`,
    },
  }))
  const parts = { negative: ordinary.slice(10, 15), buyingSignals: ordinary.slice(15) }
  const { links, shown, text } = written(digestOf(ordinary.slice(0, 10), parts), 'digest')
  expect([links.length, shown.endsWith('…')]).toEqual([40, false])
  expect(text.length).toBeGreaterThan(MESSAGE_MAX)
})
