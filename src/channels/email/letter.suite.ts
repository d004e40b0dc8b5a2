import { JSDOM } from 'jsdom'
import type { MentionData } from '../../domain/delivery/content.ts'
import type { Digest } from '../../domain/delivery/digest.ts'
import type { Outgoing } from '../../domain/delivery/envelope.ts'

export const PUBLIC_URL = 'https://earshot.test'
/** Of `mentionData`. */
export const MENTION_URL = 'https://earshot.test/mentions/mtn_01ksample'
/** Of the mentions in `digestOutgoing`, in their order. */
export const DIGEST_MENTION_URLS = [1, 2, 3].map((at) => `https://earshot.test/mentions/mtn_${at}`)
export const POST_URL = 'https://bsky.app/profile/somebody.example/post/1'

/** A mention as in the API, with the fields that mails show. */
export function mentionData(change: Partial<MentionData> = {}, post: Partial<MentionData['post']> = {}): MentionData {
  return {
    id: 'mtn_01ksample',
    keyword: { term: 'Acme' },
    post: {
      platform: 'bluesky',
      url: POST_URL,
      text: 'Acme is good.',
      title: null,
      publishedAt: '2026-11-20T09:30:00.000Z',
      ...post,
    },
    author: { name: 'Jane Doe', handle: 'jane.example', url: 'https://bsky.app/profile/jane.example' },
    review: null,
    classification: { relevance: 87, sentiment: 'positive', intents: ['buy_intent'], note: 'It praises the product.' },
    ...change,
  }
}

export function mentionOutgoing(data: object = mentionData()): Outgoing {
  return {
    kind: 'mention',
    id: 'dlv_01ksample',
    event: 'mention.matched',
    alerts: [{ id: 'feed_01ksample', name: 'Everything' }],
    data,
  }
}

export function digestOutgoing(change: Partial<Digest<MentionData>> = {}): Outgoing {
  const data: Digest<MentionData> = {
    period: {
      mode: 'daily',
      from: '2026-11-19T08:00:00.000Z',
      to: '2026-11-20T08:00:00.000Z',
      timezone: 'Europe/Berlin',
    },
    counts: { matched: 14, relevant: 9, positive: 4, neutral: 3, negative: 2, buyIntent: 1 },
    platforms: [
      { platform: 'reddit', matched: 8, relevant: 6 },
      { platform: 'hackernews', matched: 6, relevant: 3 },
    ],
    top: [
      mentionData({ id: 'mtn_1' }),
      mentionData({ id: 'mtn_2' }, { platform: 'reddit', title: 'A thread', text: 'What do you think of Acme?' }),
    ],
    negative: [mentionData({ id: 'mtn_3' }, { text: 'Acme broke my build.' })],
    buyingSignals: [mentionData({ id: 'mtn_1' })],
    ...change,
  }
  return {
    kind: 'digest',
    id: 'dlv_01kdigest',
    event: 'digest',
    alerts: [{ id: 'feed_01ksample', name: 'Morning' }],
    data,
  }
}

/** The only elements allowed in a page. */
const ELEMENTS = new Set(
  'html head meta title style body table tbody tr td h2 p a blockquote br strong span hr'.split(' '),
)

/** Everything in a page that would run, load something or lead to another address. */
export function harmIn(page: string, addresses: readonly string[]): string[] {
  const { document } = new JSDOM(page).window
  const harm: string[] = []
  for (const element of document.querySelectorAll('*')) {
    const name = element.tagName.toLowerCase()
    if (!ELEMENTS.has(name)) harm.push(`<${name}>`)
    for (const { name: attribute, value } of element.attributes) {
      if (/^on|^(src|srcset|background|action|formaction|poster|data|xlink:href)$/i.test(attribute))
        harm.push(`${name} ${attribute}`)
      if (attribute === 'href' && !addresses.includes(value)) harm.push(`leads to ${value}`)
      if (attribute === 'style' && /url\(|expression|@import/i.test(value)) harm.push(`style ${value}`)
    }
    if (name === 'style' && /url\(|@import|@font-face/i.test(element.textContent ?? ''))
      harm.push('a style sheet that loads something')
    if (name === 'meta' && element.getAttribute('http-equiv')) harm.push('meta http-equiv')
  }
  return harm
}
