import { MENTION_STATUSES, type MentionStatus } from '../../domain/filter/fields.ts'
import { type Intent, intentBits, intentsFromBits, isRelevant, SENTIMENTS, type Sentiment, UNCERTAIN_BELOW } from '../../domain/mention/classification.ts'
import { priorityOf } from '../../domain/mention/priority.ts'
import { scorersOf } from '../../domain/mention/triage.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { type Platform, platformFromNumber, platformNumber } from '../../domain/post/platform.ts'
import type { Author, Engagement, Post, ReplyTo, Review } from '../../domain/post/post.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql } from '../../store/database.ts'
import type { Score } from '../../store/scores.ts'

/** The group of a keyword as it stands in keywords and mentions. */
export interface GroupRef {
  id: Id<'grp'>
  name: string
  externalId: string | null
  isDefault: boolean
}

/** A mention as callers see it. Every key is always there. */
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
    /** The person, who may have several accounts; null where nothing tells one author from another. */
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
    /** Null once it is over. */
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

/** What the team marked, and all that the scorer had said. */
export interface Feedback {
  relevant: boolean | null
  sentiment: Sentiment | null
  at: string
  original: { relevance: number | null; sentiment: Sentiment | null }
}

/** What a selection of mentions `m` answers for `selectMentions`: the narrow row without what only conditions look at. */
export const MENTION_COLUMNS = sql`
  m.workspace_id, m.id, m.keyword_id, m.post_id, m.status, m.delivered, m.created_at, m.scored_at, m.failed, m.relevance, m.sentiment, m.intents, m.automated, m.language, m.confidence,
  m.note, m.followers, m.account_id, m.assignee_id, m.snoozed_until, m.triage_note, m.feedback_relevant, m.feedback_sentiment, m.feedback_at, m.original_relevance, m.original_sentiment`

/** What `mentionFromRow` needs, of mention `m`, keyword `k`, group `g`, post `p`, account `a`, person `pe` and assignee `u`. */
const SHOWN_COLUMNS = sql`
  m.id, m.status, m.delivered, m.created_at, m.scored_at, m.failed, m.relevance, m.sentiment, m.intents, m.automated, m.language, m.confidence, m.note, m.followers,
  m.snoozed_until, m.triage_note, m.feedback_relevant, m.feedback_sentiment, m.feedback_at, m.original_relevance, m.original_sentiment,
  coalesce(a.person_id, m.account_id) as person_id, pe.tags, u.id as assignee_id, u.name as assignee_name, u.email as assignee_email,
  k.id as keyword_id, k.term, g.id as group_id, g.name as group_name, g.external_id, g.is_default,
  p.platform, p.url, p.body, p.title, p.image_url, p.links, p.published_at, p.engagement, p.reply_to, p.author, p.review`

/**
 * The joins behind `SHOWN_COLUMNS`; the mention itself comes first, under the name `m`. Each row is looked up by its key:
 * where finding the mentions is costly beside that, the planner takes going through the groups of all workspaces for as good.
 */
const MENTION_JOINS = sql`
  cross join lateral (select * from keyword k where k.workspace_id = m.workspace_id and k.id = m.keyword_id offset 0) k
  cross join lateral (select * from keyword_group g where g.workspace_id = k.workspace_id and g.id = k.group_id offset 0) g
  cross join lateral (select * from post p where p.id = m.post_id offset 0) p
  left join account a on a.workspace_id = m.workspace_id and a.id = m.account_id
  left join person pe on pe.workspace_id = m.workspace_id and pe.id = coalesce(a.person_id, m.account_id)
  left join membership ms on ms.workspace_id = m.workspace_id and ms.user_id = m.assignee_id
  left join user_account u on u.id = ms.user_id`

export interface MentionRow {
  id: Uuid
  status: number
  delivered: boolean
  created_at: Date
  scored_at: Date | null
  failed: boolean
  relevance: number | null
  sentiment: number | null
  intents: number | null
  automated: boolean | null
  language: string | null
  confidence: number | null
  note: string | null
  followers: number | null
  snoozed_until: Date | null
  triage_note: string | null
  feedback_relevant: boolean | null
  feedback_sentiment: number | null
  feedback_at: Date | null
  original_relevance: number | null
  original_sentiment: number | null
  /** That of the account while no person is known of it. */
  person_id: Uuid | null
  /** Null while no person is known. */
  tags: readonly string[] | null
  assignee_id: Uuid | null
  assignee_name: string | null
  assignee_email: string | null
  keyword_id: Uuid
  term: string
  group_id: Uuid
  group_name: string
  external_id: string | null
  is_default: boolean
  platform: number
  url: string
  body: string
  title: string | null
  image_url: string | null
  links: string[]
  published_at: Date
  engagement: Engagement | null
  reply_to: ReplyTo | null
  author: Author | null
  review: ShownReview | null
}

/** A review as it is kept and shown: times as text. */
export type ShownReview = Omit<Review, 'responseAt'> & { responseAt: string | null }

/**
 * The mentions that `selection` answers, as MENTION_COLUMNS, with all that is shown of them, the newest match first. The
 * selected rows are not looked up again: while a table has no statistics yet, the planner takes that for a join of
 * everything with everything.
 */
export function selectMentions(selection: Statement<unknown>): Statement<MentionRow> {
  return sql<MentionRow>`select ${SHOWN_COLUMNS} from (${selection}) m ${MENTION_JOINS} order by m.id desc`
}

export function mentionFromRow(row: MentionRow, at: Date): Mention {
  const intents = intentsFromBits(row.intents ?? 0)
  return {
    id: toId('mtn', row.id),
    status: MENTION_STATUSES[row.status]!,
    relevant: isRelevant(row.relevance),
    delivered: row.delivered,
    priority: priorityOf({ relevance: row.relevance, followers: row.followers, intents, publishedAt: row.published_at }, at),
    keyword: {
      id: toId('kw', row.keyword_id),
      term: row.term,
      group: { id: toId('grp', row.group_id), name: row.group_name, externalId: row.external_id, isDefault: row.is_default },
    },
    post: showPost({
      platform: platformFromNumber(row.platform),
      url: row.url,
      text: row.body,
      title: row.title,
      imageUrl: row.image_url,
      links: row.links,
      publishedAt: row.published_at,
      engagement: row.engagement,
      replyTo: row.reply_to,
    }),
    author: row.author && { ...showAuthor(row.author), personId: row.person_id && toId('aut', row.person_id), tags: [...(row.tags ?? [])] },
    review: row.review && reviewOf(row.review),
    classification: row.scored_at && classificationOf(row, intents),
    triage: triageOf(row, at),
    createdAt: row.created_at.toISOString(),
  }
}

type ShownOfPost = 'platform' | 'url' | 'text' | 'title' | 'imageUrl' | 'links' | 'publishedAt' | 'engagement' | 'replyTo'

/** A post as callers see it, whether or not it is stored. */
export function showPost({ platform, url, text, title, imageUrl, links, publishedAt, engagement, replyTo }: Pick<Post, ShownOfPost>): Mention['post'] {
  return {
    platform,
    url,
    text,
    title,
    imageUrl,
    links,
    publishedAt: publishedAt.toISOString(),
    engagement: engagement && engagementOf(engagement),
    replyTo: replyTo && { author: replyTo.author, url: replyTo.url, text: replyTo.text },
  }
}

/** Who wrote a post, as a platform tells it: the id is the platform's own. */
export type ShownAuthor = Omit<NonNullable<Mention['author']>, 'personId'>

/** Who wrote a post that no workspace has stored. */
export function showAuthor({ id, name, handle, url, avatarUrl, followers }: Author): ShownAuthor {
  return { id, name, handle, url, avatarUrl, followers, tags: [] }
}

/** Key by key, because the order of what the database keeps as JSON is its own: the same mention is always the same text. */
function engagementOf({ likes, reposts, replies, quotes, views, bookmarks }: Engagement): Engagement {
  return { likes, reposts, replies, quotes, views, bookmarks }
}

function reviewOf({ rating, ratingMax, title, version, country, verified, response, responseAt, app }: ShownReview): ShownReview {
  return { rating, ratingMax, title, version, country, verified, response, responseAt, app: app && { platform: app.platform, id: app.id, url: app.url } }
}

function classificationOf(row: MentionRow, intents: Intent[]): Classification {
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

function feedbackOf(row: MentionRow): Feedback | null {
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

function triageOf(row: MentionRow, at: Date): Mention['triage'] {
  return {
    assignee: row.assignee_id && { id: toId('user', row.assignee_id), name: row.assignee_name!, email: row.assignee_email! },
    snoozedUntil: row.snoozed_until && row.snoozed_until > at ? row.snoozed_until.toISOString() : null,
    note: row.triage_note,
  }
}

/** What the database would answer of a mention that was scored at `scoredAt`, from what is in memory. */
export function rowOfScored({ mention, verdict, triage, person }: Score, scoredAt: Date): MentionRow {
  const { post, group } = mention
  return {
    id: mention.mentionId,
    status: MENTION_STATUSES.indexOf(mention.status),
    delivered: false,
    created_at: mention.createdAt,
    scored_at: scoredAt,
    failed: verdict === null,
    relevance: verdict?.relevance ?? null,
    sentiment: verdict && SENTIMENTS.indexOf(verdict.sentiment),
    intents: verdict ? intentBits(verdict.intents) : 0,
    automated: verdict?.automated ?? null,
    language: verdict?.language ?? null,
    confidence: verdict?.confidence ?? null,
    note: verdict?.note ?? null,
    // Only its reach is shown, which is the same beyond what the column holds.
    followers: post.author?.followers ?? null,
    snoozed_until: triage?.snoozedUntil ?? null,
    triage_note: triage?.note ?? null,
    // Only what has a score can be marked.
    feedback_relevant: null,
    feedback_sentiment: null,
    feedback_at: null,
    original_relevance: null,
    original_sentiment: null,
    person_id: person?.id ?? accountIdOf(mention.workspaceId, post.platform, post.author),
    tags: person?.tags ?? null,
    assignee_id: triage?.assignee?.id ?? null,
    assignee_name: triage?.assignee?.name ?? null,
    assignee_email: triage?.assignee?.email ?? null,
    keyword_id: mention.keywordId,
    term: mention.keywordTerm,
    group_id: group.id,
    group_name: group.name,
    external_id: group.externalId,
    is_default: group.isDefault,
    platform: platformNumber(post.platform),
    url: post.url,
    body: post.text,
    title: post.title,
    image_url: post.imageUrl,
    links: post.links,
    published_at: post.publishedAt,
    engagement: post.engagement,
    reply_to: post.replyTo,
    author: post.author,
    review: post.review && { ...post.review, responseAt: post.review.responseAt?.toISOString() ?? null },
  }
}

/** Mentions of several workspaces by id, for deliveries; those that were removed are left out. */
export async function readMentions(reader: Reader, wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[], at: Date): Promise<Map<Uuid, Mention>> {
  if (wanted.length === 0) return new Map()
  const rows = await reader.query(
    selectMentions(
      sql`select ${MENTION_COLUMNS} from unnest(${wanted.map((one) => one.workspaceId)}::uuid[], ${wanted.map((one) => one.mentionId)}::uuid[]) as t (workspace_id, id)
        join mention m on m.workspace_id = t.workspace_id and m.id = t.id`,
    ),
  )
  return new Map(rows.map((row) => [row.id, mentionFromRow(row, at)]))
}
