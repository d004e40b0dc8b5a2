import { type EventLine, eventLine } from '../attention/event-line.ts'
import { mentionUrl } from '../mention/mention-url.ts'
import type { Platform } from '../platform/platforms.ts'
import type { Digest } from './digest.ts'
import type { Outgoing } from './envelope.ts'

/** Texts come from third parties or users: none is markup. */
export interface MentionContent {
  id: string
  term: string
  platform: Platform
  author: string | null
  authorUrl: string | null
  title: string | null
  /** Without the title; may be empty. */
  text: string
  /** Of the post. */
  url: string
  /** Of the mention in Earshot. */
  dashboardUrl: string
  publishedAt: string
  /** 0 to 100; null while unscored. */
  relevance: number | null
  sentiment: string | null
  intents: readonly string[]
  /** Out of five where the platform says so. */
  rating: number | null
  note: string | null
}

export type DeliveryContent =
  | { kind: 'mention'; mention: MentionContent }
  | { kind: 'digest'; digest: Digest<MentionContent> }
  | { kind: 'event'; line: EventLine }
  | { kind: 'test'; message: string }

export function contentOf({ kind, event, data }: Outgoing, publicUrl: string): DeliveryContent {
  switch (kind) {
    case 'mention':
      return { kind, mention: mentionTold(data as MentionData, publicUrl) }
    case 'digest':
      return { kind, digest: digestTold(data as Digest<MentionData>, publicUrl) }
    case 'event':
      return { kind, line: eventLine(event, data as Record<string, unknown>) }
    case 'test':
      return { kind, message: (data as { message: string }).message }
  }
}

export interface MentionData {
  id: string
  keyword: { term: string }
  post: { platform: Platform; url: string; text: string; title: string | null; publishedAt: string }
  author: { name: string | null; handle: string | null; url: string | null } | null
  review: { rating: number | null } | null
  classification: {
    relevance: number | null
    sentiment: string | null
    intents: readonly string[]
    note: string | null
  } | null
}

function mentionTold(
  { id, keyword, post, author, review, classification }: MentionData,
  publicUrl: string,
): MentionContent {
  return {
    id,
    term: keyword.term,
    platform: post.platform,
    author: author?.name ?? author?.handle ?? null,
    authorUrl: author?.url ?? null,
    title: post.title,
    // A post with only a title has it as its text; it is shown once.
    text: post.text === post.title ? '' : post.text,
    url: post.url,
    dashboardUrl: mentionUrl(publicUrl, id),
    publishedAt: post.publishedAt,
    relevance: classification?.relevance ?? null,
    sentiment: classification?.sentiment ?? null,
    intents: classification?.intents ?? [],
    rating: review?.rating ?? null,
    note: classification?.note ?? null,
  }
}

function digestTold(
  { top, negative, buyingSignals, ...rest }: Digest<MentionData>,
  publicUrl: string,
): Digest<MentionContent> {
  const contents = (mentions: readonly MentionData[]) => mentions.map((mention) => mentionTold(mention, publicUrl))
  return { ...rest, top: contents(top), negative: contents(negative), buyingSignals: contents(buyingSignals) }
}
