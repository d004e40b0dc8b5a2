import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { eventLine } from '../../domain/attention/event-line.ts'
import { contentOf, type MentionData } from '../../domain/delivery/content.ts'
import type { Outgoing } from '../../domain/delivery/envelope.ts'
import {
  DIGEST_MENTION_URLS,
  digestOutgoing,
  harmIn,
  MENTION_URL,
  mentionData,
  mentionOutgoing,
  POST_URL,
  PUBLIC_URL,
} from './letter.suite.ts'
import { letterOf } from './letter.ts'

const UNSUBSCRIBE = 'https://earshot.test/email/unsubscribe?token=v1.abc'
const ADDRESSES = [POST_URL, MENTION_URL, ...DIGEST_MENTION_URLS, UNSUBSCRIBE, 'https://earshot.test/attention/1']
const write = (outgoing: Outgoing, rule: string | null = outgoing.alerts[0]?.name ?? null) =>
  letterOf(
    contentOf(outgoing, PUBLIC_URL),
    rule,
  )({ reason: 'This mail goes to you@example.com.', unsubscribeUrl: UNSUBSCRIBE })
const mention = (post: Partial<MentionData['post']>, change: Partial<MentionData> = {}) =>
  write(mentionOutgoing(mentionData(change, post)))
const linksIn = (page: string) =>
  [...new JSDOM(page).window.document.querySelectorAll('a')].map((link) => [link.textContent, link.href])
const wordsOf = (page: string) => new JSDOM(page).window.document.body.textContent.replace(/\s+/g, ' ')

test('a mention says who, where, when and what, and leads to the post and the mention', () => {
  const { subject, text, html } = mention({ text: 'Acme is good.\nReally.' })
  expect(subject).toBe('Acme on Bluesky: Acme is good. Really.')
  expect(text).toBe(`Acme on Bluesky, by the rule Everything

Jane Doe, 20 Nov 2026, 09:30 UTC

> Acme is good.
> Really.

relevance 87 · positive · buy intent

It praises the product.

Open on Bluesky:
${POST_URL}
Open in Earshot:
${MENTION_URL}

-- 
This mail goes to you@example.com.
Unsubscribe: ${UNSUBSCRIBE}
`)
  for (const words of [
    'Jane Doe, 20 Nov 2026, 09:30 UTC',
    'Acme is good.',
    'relevance 87 · positive · buy intent',
    'This mail goes to you@example.com. Unsubscribe',
  ])
    expect(wordsOf(html)).toContain(words)
  expect(linksIn(html)).toEqual([
    ['Open on Bluesky', POST_URL],
    ['Open in Earshot', MENTION_URL],
    ['Unsubscribe', UNSUBSCRIBE],
  ])
  expect(harmIn(html, ADDRESSES)).toEqual([])
})

test('a review shows its stars, and what is not scored says nothing of scores', () => {
  expect(mention({ platform: 'trustpilot' }, { review: { rating: 2 }, classification: null }).text).toContain(
    '2 of 5 stars\n',
  )
})

test('a digest counts, and shows each mention once in the first part that has it', () => {
  const { subject, text, html } = write(digestOutgoing())
  expect(subject).toBe('Morning: 9 mentions, 2 negative')
  for (const words of [
    'The day from 19 Nov 2026, 09:00 to 20 Nov 2026, 09:00 (Europe/Berlin)',
    'MOST IMPORTANT',
    'NEGATIVE',
    'Reddit 6 · Hacker News 3',
  ])
    expect(text.replace(/\n(?=\S)/g, ' ')).toContain(words)
  expect(text.split('> Acme is good.')).toHaveLength(2)
  expect(text).not.toContain('BUYING SIGNALS')
  expect(linksIn(html).filter(([words]) => words === 'Open in Earshot')).toEqual(
    DIGEST_MENTION_URLS.map((url) => ['Open in Earshot', url]),
  )
  expect(harmIn(html, ADDRESSES)).toEqual([])
})

test('a digest of nothing says so', () => {
  const counts = { matched: 0, relevant: 0, positive: 0, neutral: 0, negative: 0, buyIntent: 0 }
  const { subject, text } = write(digestOutgoing({ counts, platforms: [], top: [], negative: [], buyingSignals: [] }))
  expect(subject).toBe('Morning: 0 mentions')
  expect(text).toContain('Nothing relevant was said.')
})

test('an event is one line with a link to where more is to be seen', () => {
  const data = { attentionId: 'att_1', url: 'https://earshot.test/attention/1', keyword: { id: 'kw_1', term: 'Acme' } }
  const { subject, text, html } = write({ kind: 'event', id: 'dlv_1', event: 'mention.spike', alerts: [], data })
  expect(subject).toBe(eventLine('mention.spike', data).text)
  expect(text).toContain('See more in Earshot:\nhttps://earshot.test/attention/1\n')
  expect(harmIn(html, ADDRESSES)).toEqual([])
})

test('a test says what it is', () => {
  const { subject, text } = write({
    kind: 'test',
    id: 'dlv_1',
    event: 'test',
    alerts: [{ id: null, name: 'Channel test' }],
    data: { message: 'This is a test.' },
  })
  expect(subject).toBe('A test from Earshot')
  expect(text).toContain('This is a test.')
})

describe('strangers', () => {
  test('cannot bring markup, scripts or pictures in, wherever their words stand', () => {
    const hostile =
      '<img src=x onerror=alert(1)><script>alert(1)</script></td></table><a href="javascript:alert(1)">x</a>&lt;"\'><style>@import url(//evil)</style>'
    const letter = mention(
      { text: hostile, title: hostile },
      {
        keyword: { term: hostile },
        author: { name: hostile, handle: hostile, url: 'javascript:alert(1)' },
        classification: { relevance: 1, sentiment: hostile, intents: [hostile], note: hostile },
      },
    )
    expect(harmIn(letter.html, ADDRESSES)).toEqual([])
    expect(wordsOf(letter.html)).toContain('<script>alert(1)</script>')
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    'nonsense',
    '',
    'https://',
  ])('have no link to %j', (url) => {
    const { html, text } = mention({ url })
    expect(harmIn(html, ADDRESSES)).toEqual([])
    expect(text).not.toContain('Open on')
  })

  test('cannot end the address of a link that is theirs', () => {
    const { html } = mention({ url: 'https://a.example/"><script>alert(1)</script>' })
    expect(harmIn(html, [...ADDRESSES, 'https://a.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E'])).toEqual([])
  })

  test('cannot add lines to the head, nor turn the direction of writing', () => {
    const { subject, text, html } = mention({
      text: 'x\r\nBcc: victim@example.com\u2028Bcc: b@c\u202e\u2066evil\u200f\u0000\u0085end\u{e0041}',
    })
    expect(subject).toBe('Acme on Bluesky: x Bcc: victim@example.com Bcc: b@cevil end')
    for (const part of [text, html]) expect(part).not.toMatch(/[\p{Cf}\u2028\u0080-\u009f]/u)
  })

  test('cannot make the text look like ours: every line of theirs is quoted', () => {
    const { text } = mention({
      text: 'good\n\n-- \nUnsubscribe: https://evil.example',
      title: 'Title\nUnsubscribe: https://evil.example',
    })
    expect(text.split('\n').filter((line) => line.includes('evil.example') && !line.startsWith('> '))).toEqual([])
    expect(text.split('\n').filter((line) => line === '-- ')).toHaveLength(1)
  })

  test('keep joiners, which scripts and emoji need', () => {
    expect(mention({ text: 'خانه‌ها 👩‍💻' }).text).toContain('خانه‌ها 👩‍💻')
  })

  test('cannot make mail long, by a word or by many', () => {
    for (const word of ['x', 'x ', '👋', '<', '\n']) {
      const text = word.repeat(64 * 1024)
      const {
        subject,
        html,
        text: plain,
      } = mention({ text, title: text }, { author: { name: text, handle: null, url: null }, keyword: { term: text } })
      expect([...subject].length).toBeLessThanOrEqual(120)
      expect(html.length).toBeLessThan(60_000)
      expect(plain.length).toBeLessThan(300_000)
    }
  })

  test('whatever they write, nothing in the page runs, loads or leads elsewhere, and all lines of theirs are quoted', () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('</style>', '<!--', ']]>', '"><svg/onload=x>', '\u0000<b>', '&#x3c;i>'),
    )
    fc.assert(
      fc.property(words, words, words, (text, title, name) => {
        const letter = mention({ text, title }, { author: { name, handle: null, url: null }, keyword: { term: title } })
        expect(harmIn(letter.html, ADDRESSES)).toEqual([])
        expect(letter.subject).not.toMatch(/[\r\n\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
        expect(letter.text.endsWith(`-- \nThis mail goes to you@example.com.\nUnsubscribe: ${UNSUBSCRIBE}\n`)).toBe(
          true,
        )
      }),
      { numRuns: 40 },
    )
  })
})

test('a text is looked at only as far as it is shown, and says that it goes on', () => {
  const quoted = (text: string) =>
    mention({ text })
      .text.split('\n')
      .filter((line) => line.startsWith('>'))
      .map((line) => line.slice(2))
      .join(' ')
  expect([...quoted('word '.repeat(900))]).toHaveLength(1500)
  for (const text of [`a${'\u200b'.repeat(7000)}b`, `a${'\u0301'.repeat(7000)}b`, `a${'\u{1f600}'.repeat(4000)}b`]) {
    expect(quoted(text)).toMatch(/^.*…$/u)
    expect(quoted(text)).not.toContain('b')
    expect(quoted(text)).not.toContain('\ufffd')
  }
  expect(quoted(`a${'\u200b'.repeat(100)}b`)).toBe('ab')
})

test('what a letter tells is put into words once, however many readers it has', () => {
  const told = contentOf(digestOutgoing({ top: [mentionData(), mentionData()], negative: [mentionData()] }), PUBLIC_URL)
  let reads = 0
  /** The same, counting what is read of it. */
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, key, receiver) {
        reads += 1
        const member: unknown = Reflect.get(target, key, receiver)
        return typeof member === 'object' && member !== null ? counted(member) : member
      },
    })
  const letter = letterOf(counted(told), 'Morning')
  expect(reads).toBeGreaterThan(20)
  reads = 0
  for (const reader of ['a', 'b', 'c'])
    letter({ reason: `This mail goes to ${reader}@example.com.`, unsubscribeUrl: UNSUBSCRIBE })
  expect(reads).toBe(0)
})
