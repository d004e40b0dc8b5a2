import type { Filterable } from '../../domain/filter/field.ts'
import { linkHostsOf } from '../../domain/filter/link-hosts.ts'
import type { Verdict } from '../../domain/mention/classification.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Unscored } from './unscored.ts'

/** A null verdict means that scoring failed for good. */
export interface Score {
  mention: Unscored
  verdict: Verdict | null
  /** All normal forms of the author. */
  authorKeys: readonly string[]
  /** The team's triage when the score was written, if any. */
  triage?: EarlyTriage
  /** The person behind the author when the score was written, if more than the account. */
  person?: ScoredPerson
}

export interface EarlyTriage {
  assignee: { id: Uuid; name: string; email: string } | null
  snoozedUntil: Date | null
  note: string | null
}

export interface ScoredPerson {
  id: Uuid
  tags: readonly string[]
  /** Their mentions are not sent. */
  muted: boolean
}

export function filterableOf({ mention, verdict, authorKeys, person }: Score): Filterable {
  const { post } = mention
  return {
    keywordId: mention.keywordId,
    keywordKind: mention.keywordKind,
    groupId: mention.group.id,
    platform: post.platform,
    status: mention.status,
    relevance: verdict?.relevance ?? null,
    confidence: verdict?.confidence ?? null,
    sentiment: verdict?.sentiment ?? null,
    intents: verdict?.intents ?? [],
    automated: verdict?.automated ?? null,
    language: verdict?.language ?? null,
    followers: post.author?.followers ?? null,
    delivered: false,
    failed: verdict === null,
    unassigned: true,
    isReply: post.replyTo !== null,
    rating: post.review?.rating ?? null,
    likes: post.engagement?.likes ?? null,
    reposts: post.engagement?.reposts ?? null,
    replies: post.engagement?.replies ?? null,
    quotes: post.engagement?.quotes ?? null,
    views: post.engagement?.views ?? null,
    bookmarks: post.engagement?.bookmarks ?? null,
    linkHosts: linkHostsOf(post.links),
    authorKeys,
    tags: person?.tags ?? [],
    words: [],
  }
}
