import {
  type Intent,
  intentsFromBits,
  isRelevant,
  SENTIMENTS,
  type Sentiment,
  UNCERTAIN_BELOW,
} from '../../domain/mention/classification.ts'
import { priorityOf } from '../../domain/mention/priority.ts'
import { MENTION_STATUSES, type MentionStatus } from '../../domain/mention/status.ts'
import { scorersOf } from '../../domain/mention/triage.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { type Author, type Engagement, type Post, type ReplyTo, shownPostText } from '../../domain/post/post.ts'
import { type Id, toId } from '../../kernel/ids.ts'

import type { ContextRow, MentionRow, ShownReview } from './mention-rows.ts'

export interface GroupRef {
  id: Id<'grp'>
  name: string
  externalId: string | null
  isDefault: boolean
}

/** Every key is always present. */
export interface Mention {
  id: Id<'mtn'>
  status: MentionStatus
  relevant: boolean
  delivered: boolean
  priority: number
  keyword: { id: Id<'kw'>; term: string; group: GroupRef }
  post: {
    platform: Platform
    url: string
    text: string
    title: string | null
    imageUrl: string | null
    links: string[]
    publishedAt: string
    engagement: Engagement | null
    replyTo: ReplyTo | null
  }
  author: {
    /** A person may have several accounts; null when nothing identifies the author. */
    id: string | null
    personId: Id<'aut'> | null
    name: string | null
    handle: string | null
    url: string | null
    avatarUrl: string | null
    followers: number | null
    tags: string[]
  } | null
  review: ShownReview | null
  classification: Classification | null
  triage: {
    assignee: { id: Id<'user'>; name: string; email: string } | null
    /** Null when over. */
    snoozedUntil: string | null
    note: string | null
  }
  createdAt: string
}

export interface Classification {
  relevance: number | null
  sentiment: Sentiment | null
  intents: Intent[]
  automated: boolean | null
  language: string | null
  confidence: number | null
  uncertain: boolean
  note: string | null
  failed: boolean
  feedback: Feedback | null
}

/** The team's feedback and the scorer's values. */
export interface Feedback {
  relevant: boolean | null
  sentiment: Sentiment | null
  at: string
  original: { relevance: number | null; sentiment: Sentiment | null }
}

export function mentionFromRow({ own, beside }: MentionRow, at: Date): Mention {
  const intents = intentsFromBits(own.intents ?? 0)
  return {
    id: toId('mtn', own.id),
    status: MENTION_STATUSES[own.status]!,
    relevant: isRelevant(own.relevance),
    delivered: own.delivered,
    priority: priorityOf(
      { relevance: own.relevance, followers: own.followers, intents, publishedAt: beside.published_at },
      at,
    ),
    keyword: {
      id: toId('kw', own.keyword_id),
      term: beside.term,
      group: {
        id: toId('grp', beside.group_id),
        name: beside.group_name,
        externalId: beside.external_id,
        isDefault: beside.is_default,
      },
    },
    post: showPost({
      platform: platformFromNumber(beside.platform),
      url: beside.url,
      text: beside.body,
      title: beside.title,
      imageUrl: beside.image_url,
      links: beside.links ?? [],
      publishedAt: beside.published_at,
      engagement: beside.engagement,
      replyTo: beside.reply_to,
    }),
    author: beside.author && authorOf(beside.author, beside),
    review: beside.review && reviewOf(beside.review),
    classification: own.scored_at && classificationOf(own, intents),
    triage: triageOf(own, beside, at),
    createdAt: own.created_at.toISOString(),
  }
}

type ShownOfPost =
  | 'platform'
  | 'url'
  | 'text'
  | 'title'
  | 'imageUrl'
  | 'links'
  | 'publishedAt'
  | 'engagement'
  | 'replyTo'

export function showPost({
  platform,
  url,
  text,
  title,
  imageUrl,
  links,
  publishedAt,
  engagement,
  replyTo,
}: Pick<Post, ShownOfPost>): Mention['post'] {
  return {
    platform,
    url,
    text: shownPostText({ title, text }),
    title,
    imageUrl,
    links,
    publishedAt: publishedAt.toISOString(),
    engagement: engagement && engagementOf(engagement),
    replyTo: replyTo && { author: replyTo.author, url: replyTo.url, text: replyTo.text },
  }
}

/** `id` is the platform's. */
export type ShownAuthor = Omit<NonNullable<Mention['author']>, 'personId'>

/** For a post that no workspace stores. */
export function showAuthor({ id, name, handle, url, avatarUrl, followers }: Author): ShownAuthor {
  return { id, name, handle, url, avatarUrl, followers, tags: [] }
}

function authorOf(
  { id, name, handle, url, avatarUrl, followers }: Author,
  { person_id, tags }: ContextRow,
): Mention['author'] {
  return {
    id,
    name,
    handle,
    url,
    avatarUrl,
    followers,
    tags: tags === null ? [] : [...tags],
    personId: person_id && toId('aut', person_id),
  }
}

/** Key by key: jsonb has its own key order, and a mention must always give the same text. */
function engagementOf({ likes, reposts, replies, quotes, views, bookmarks }: Engagement): Engagement {
  return { likes, reposts, replies, quotes, views, bookmarks }
}

function reviewOf({
  rating,
  ratingMax,
  title,
  version,
  country,
  verified,
  response,
  responseAt,
  app,
}: ShownReview): ShownReview {
  return {
    rating,
    ratingMax,
    title,
    version,
    country,
    verified,
    response,
    responseAt,
    app: app && { platform: app.platform, id: app.id, url: app.url },
  }
}

function classificationOf(row: MentionRow['own'], intents: Intent[]): Classification {
  return {
    relevance: row.relevance,
    sentiment: sentimentOf(row.sentiment),
    intents,
    automated: row.automated,
    language: row.language,
    confidence: row.confidence,
    uncertain: row.confidence !== null && row.confidence < UNCERTAIN_BELOW,
    note: row.note,
    failed: row.failed,
    feedback: feedbackOf(row),
  }
}

function feedbackOf(row: MentionRow['own']): Feedback | null {
  if (row.feedback_at === null) return null
  const sentiment = sentimentOf(row.feedback_sentiment)
  const original = scorersOf({
    relevance: row.relevance,
    sentiment: sentimentOf(row.sentiment),
    markedRelevant: row.feedback_relevant,
    markedSentiment: sentiment,
    originalRelevance: row.original_relevance,
    originalSentiment: sentimentOf(row.original_sentiment),
  })
  return { relevant: row.feedback_relevant, sentiment, at: row.feedback_at.toISOString(), original }
}

function sentimentOf(number: number | null): Sentiment | null {
  return number === null ? null : SENTIMENTS[number]!
}

function triageOf(
  row: MentionRow['own'],
  { assignee_id, assignee_name, assignee_email }: ContextRow,
  at: Date,
): Mention['triage'] {
  return {
    assignee: assignee_id && { id: toId('user', assignee_id), name: assignee_name!, email: assignee_email! },
    snoozedUntil: row.snoozed_until && row.snoozed_until > at ? row.snoozed_until.toISOString() : null,
    note: row.triage_note,
  }
}
