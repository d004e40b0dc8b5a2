import { createHash } from 'node:crypto'
import type { Post } from '../../domain/post/post.ts'
import { canParse } from '../../kernel/can-parse.ts'
import { htmlToText } from '../html-text.ts'
import { boundedAddress, normalPost } from '../normal-post.ts'
import type { Item } from './items.ts'

const TRACKING = /^(?:utm_\w{1,40}|fbclid|gclid|ref)$/i
/** Pictures of one pixel that count readers, as Medium has them. */
const COUNTER = /\/_\/stat\?|\b1x1\b|pixel\./i

export interface FeedAddress {
  /** Of the feed itself. */
  address: string
  /** Of its site. */
  link: string | null
}

/**
 * One article in two feeds of its site has one id: that of its link without marks of where it was read. A feed
 * elsewhere has ids of its own, or anybody's feed could change posts that others see. Null without link and id.
 */
export function itemId(item: Item, feed: FeedAddress): string | null {
  const link = canonicalLink(item, feed)
  if (link !== null) {
    const bare = bareOf(link)
    const site = bareOf(feed.address).split('/', 1)[0]!
    return bare.startsWith(`${site}/`) ? `u:${hashOf(bare)}` : `f:${hashOf(`${site}\n${bare}`)}`
  }
  return item.id === null || item.id === '' ? null : `g:${hashOf(`${feed.address}\n${item.id}`)}`
}

/** Null for an item without a link, which cannot be shown. */
export function toPost(item: Item, feed: FeedAddress, at: Date): Post | null {
  const nativeId = itemId(item, feed)
  // An item without an own link is shown at the site.
  const url = canonicalLink(item, feed) ?? resolved(feed.link, item, feed) ?? feed.address
  if (nativeId === null) return null
  const title = item.title === null ? null : htmlToText(item.title).text
  const html = item.html === null ? null : htmlToText(item.html)
  const text = html?.text ?? item.plain ?? ''
  const image = item.imageUrl ?? html?.images.find((address) => !COUNTER.test(address)) ?? null
  const links =
    html === null ? {} : { links: [item.otherLink, ...html.links].map((link) => resolved(link, item, feed)) }
  return normalPost(
    {
      platform: 'feeds',
      nativeId,
      url,
      title,
      text,
      imageUrl: resolved(image, item, feed),
      ...links,
      publishedAt: timeOf(item.publishedAt),
      languageTag: item.languageTag,
      engagement: { replies: item.replies },
      author: authorOf(item, feed),
    },
    at,
  )
}

function bareOf(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/i, '')
}

function authorOf(item: Item, feed: FeedAddress): NonNullable<Parameters<typeof normalPost>[0]['author']> | null {
  const name = item.authorName === null ? '' : htmlToText(item.authorName).text
  if (name === '') return null
  const { host } = new URL(feed.address)
  return {
    // Names are unique within one site at best.
    id: `${host}:${hashOf(name.normalize('NFKC').toLowerCase()).slice(0, 16)}`,
    name,
    url: boundedAddress(resolved(item.authorUrl, item, feed)),
    avatarUrl: resolved(item.avatarUrl, item, feed),
  }
}

function canonicalLink(item: Item, feed: FeedAddress): string | null {
  const link = boundedAddress(resolved(item.link, item, feed))
  if (link === null) return null
  const url = new URL(link)
  url.hash = ''
  for (const [name, value] of [...url.searchParams])
    if (TRACKING.test(name) || (name === 'source' && value.startsWith('rss'))) url.searchParams.delete(name)
  return url.href
}

function resolved(link: string | null, { base }: Item, feed: FeedAddress): string | null {
  const text = link?.trim() ?? ''
  if (text === '') return null
  for (const against of [base, feed.link, feed.address])
    if (against !== null && canParse(against) && canParse(text, against)) return new URL(text, against).href
  return canParse(text) ? new URL(text).href : null
}

/** A time without a zone is UTC. Null if it cannot be read. */
export function timeOf(text: string | null): Date | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  const hasTime = /\d{1,2}:\d{2}/.test(trimmed)
  const hasZone = /(?:[a-z]{1,5}|[+-]\d{2}:?\d{2})$/i.test(trimmed)
  const zone = /^\d{4}-/.test(trimmed) ? 'Z' : ' UTC'
  const ms = Date.parse(hasTime && !hasZone ? `${trimmed}${zone}` : trimmed)
  return Number.isNaN(ms) ? null : new Date(ms)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40)
}
