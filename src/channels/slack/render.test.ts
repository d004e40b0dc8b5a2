import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MentionData } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import type { Outgoing } from '../../domain/delivery/envelope.ts'
import { answeredBlocks, type Block, messageOf } from './render.ts'
import { escaped, link } from './words.ts'

const MENTION: MentionData = {
  id: 'mtn_01k',
  keyword: { term: 'acme' },
  post: {
    platform: 'reddit',
    url: 'https://reddit.com/r/a/1?x=1&y=2',
    text: 'I love acme.',
    title: 'A title',
    publishedAt: '2026-11-20T13:00:00.000Z',
  },
  author: { name: 'Ann', handle: 'ann', url: null },
  review: { rating: 4 },
  classification: {
    relevance: 87,
    sentiment: 'positive',
    intents: ['praise', 'buy_intent'],
    note: 'It praises the product.',
  },
}
const ALERT = { id: 'feed_1', name: 'Everything' }
const outgoing = (kind: Outgoing['kind'], data: object, event = 'mention.matched'): Outgoing => ({
  kind,
  id: 'dlv_1',
  event,
  alerts: [ALERT],
  data,
})
const mentionWith = (text: string): MentionData => ({
  ...MENTION,
  keyword: { term: text },
  post: { ...MENTION.post, text, title: text },
  author: { name: text, handle: null, url: null },
  classification: { relevance: 1, sentiment: 'neutral', intents: [], note: text },
})
const digestOf = (mentionData: MentionData, times: number): Digest<MentionData> => ({
  period: {
    mode: 'daily',
    from: '2026-11-20T08:00:00.000Z',
    to: '2026-11-21T08:00:00.000Z',
    timezone: 'Europe/Berlin',
  },
  counts: { matched: 20, relevant: 12, positive: 3, neutral: 5, negative: 4, buyIntent: 2 },
  platforms: [{ platform: 'reddit', matched: 20, relevant: 12 }],
  top: Array(times).fill(mentionData),
  negative: Array(Math.min(times, 5)).fill(mentionData),
  buyingSignals: Array(Math.min(times, 5)).fill(mentionData),
})
const render = (outgoing: Outgoing) => messageOf(outgoing, 'https://earshot.test')
// biome-ignore lint/suspicious/noExplicitAny: the parts of a message are read freely
type Any = any
const textsIn = (blocks: readonly Block[]): Any[] =>
  (blocks as Any[])
    .flatMap((block) => [
      block.text,
      ...(block.elements ?? []).map((item: Any) => (block.type === 'actions' ? item.text : item)),
    ])
    .filter(Boolean)

test('a mention says where, what, by whom and how it was scored, and has its buttons', () => {
  const { text, blocks } = render(outgoing('mention', MENTION))
  expect(text).toBe('acme on Reddit: A title')
  expect(textsIn(blocks).map((text) => text.text)).toEqual([
    'acme on Reddit',
    'A title\nI love acme.',
    'Ann',
    '4 of 5 stars',
    'Relevance 87',
    'positive',
    'praise, buy intent',
    'Rule: Everything',
    'It praises the product.',
    'Open post',
    'Open in Earshot',
    'Done',
    'Ignore',
    'Not relevant',
  ])
  const { elements } = blocks.at(-1) as Extract<Block, { type: 'actions' }>
  expect(elements.map(({ action_id, value, url }) => [action_id, value ?? url])).toEqual([
    ['earshot_open', 'https://reddit.com/r/a/1?x=1&y=2'],
    ['earshot_open_mention', 'https://earshot.test/mentions/mtn_01k'],
    ['earshot_done', 'mtn_01k'],
    ['earshot_ignore', 'mtn_01k'],
    ['earshot_not_relevant', 'mtn_01k'],
  ])
})

test('an unscored mention of nobody, with no text and an address that is none, is still a message', () => {
  const bare = {
    ...mentionWith(''),
    keyword: { term: 'acme' },
    author: null,
    review: null,
    classification: null,
    post: { ...MENTION.post, text: '', title: null, url: 'javascript:alert(1)' },
  }
  const { blocks } = render(outgoing('mention', bare))
  expect(JSON.stringify(blocks)).not.toContain('javascript')
  for (const { text } of textsIn(blocks)) expect(text).not.toBe('')
})

test('a digest counts, lists and links, on the clocks of the rule', () => {
  const { text, blocks } = render(outgoing('digest', digestOf(MENTION, 1)))
  expect(text).toBe('Everything: 12 relevant of 20')
  const texts = textsIn(blocks).map((text) => text.text)
  expect(texts).toContain('20 Nov 2026, 09:00 to 21 Nov 2026, 09:00 (Europe/Berlin)')
  expect(
    texts.filter(
      (text) =>
        text ===
        '• <https://reddit.com/r/a/1?x=1&amp;y=2|A title> (Reddit · Ann · acme)' +
          ' · <https://earshot.test/mentions/mtn_01k|Open in Earshot>',
    ),
  ).toHaveLength(3)
})

test('an empty digest says that there was nothing', () => {
  expect(JSON.stringify(render(outgoing('digest', digestOf(MENTION, 0))).blocks)).toContain('No relevant mentions')
})

test('an account event is one line with a link', () => {
  const { blocks } = render(
    outgoing('event', { keyword: { term: '<!here> *x*' }, url: 'https://earshot.example/a?b&c' }, 'mention.spike'),
  )
  expect(blocks).toEqual([
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: expect.stringMatching(/^Unusually .*&lt;!here&gt; ∗x∗.* <https:\/\/earshot.example\/a\?b&amp;c\|Open>$/),
      },
    },
  ])
})

test('a test says so', () => {
  expect(render(outgoing('test', { message: 'This is a test.' }, 'test'))).toMatchObject({ text: 'This is a test.' })
})

describe('texts of others, whatever they are,', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4000 }),
    fc.constantFrom(
      '<!channel>',
      '<@U1>',
      '<https://evil.example|Done>',
      '*bold* _i_ ~s~ `c`',
      '&lt;!here&gt;',
      '&'.repeat(4000),
      '👋'.repeat(2000),
      '\u202eevil',
      '> quote',
      '|',
    ),
  )

  test('never become marks, and never outgrow what Slack takes', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('mention', 'digest', 'test', 'event'), (text, kind) => {
        const bad = mentionWith(text)
        const data = {
          mention: bad,
          digest: digestOf(bad, 10),
          test: { message: text },
          event: { keyword: { term: text }, url: text },
        }[kind]
        const { blocks, text: fallback } = render({
          ...outgoing(kind, data, 'mention.spike'),
          alerts: [{ id: 'feed_1', name: text }],
        })
        expect(blocks.length).toBeLessThanOrEqual(50)
        expect(fallback).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
        for (const block of blocks as Any[])
          if (block.type === 'header') expect(block.text.text.length).toBeLessThanOrEqual(150)
        for (const item of textsIn(blocks)) {
          expect(item.text.length).toBeGreaterThan(0)
          expect(item.text.length).toBeLessThanOrEqual(3000)
          expect(item.text.isWellFormed()).toBe(true)
          expect(item.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|&(?!amp;|lt;|gt;)/)
          if (item.type === 'plain_text') expect([item.emoji, /[<>]/.test(item.text)]).toEqual([false, false])
          else expect(unlinked(item.text)).not.toMatch(/[<>_~`|]|\*(?!(Top mentions|Negative|Buying signals)\*$|$)/)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('are cut between letters, and marked where they were cut', () => {
    expect(escaped('<<<<', 16)).toBe('&lt;&lt;&lt;&lt;')
    expect(escaped('<<<<', 15)).toBe('&lt;&lt;&lt;…')
    expect(escaped('👋👋', 3)).toBe('👋…')
    expect(escaped('👋👋', 2)).toBe('…')
  })

  test.each([
    ['https://a.example/x|y>z', '<https://a.example/x%7Cy%3Ez|w>'],
    ['HTTP://A.example', '<http://a.example/|w>'],
    ['javascript:alert(1)', 'w'],
    ['slack://open', 'w'],
    ['https://', 'w'],
    [`https://a.example/${'x'.repeat(2000)}`, 'w'],
  ])('as the address %s make %s', (address, made) => {
    expect(link(address, 'w', 10)).toBe(made)
  })
})

/** Without the links that we made: their ends, and their addresses, which Slack does not show. */
function unlinked(text: string): string {
  return text.replace(/<https?:[^|<>\s]+\|([^|<>]*)>/g, '$1')
}

test('what was done takes the place of the buttons, however often, and the ways to the post and the mention stay', () => {
  const { blocks } = render(outgoing('mention', MENTION))
  const once = answeredBlocks(blocks, 'Done by <!channel>')
  expect(once.at(-1)).toMatchObject({ type: 'context', elements: [{ text: 'Done by &lt;!channel&gt;' }] })
  expect(JSON.stringify(once)).not.toContain('earshot_done')
  expect(JSON.stringify(once)).toContain('"earshot_open"')
  expect(JSON.stringify(once)).toContain('"earshot_open_mention"')
  const twice = answeredBlocks(once, 'Ignored by ann')
  expect(twice).toHaveLength(once.length)
  expect(JSON.stringify(twice)).not.toContain('channel')
})
