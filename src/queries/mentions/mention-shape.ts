import {
  type Intent,
  intentBits,
  intentsFromBits,
  isRelevant,
  SENTIMENTS,
  type Sentiment,
  UNCERTAIN_BELOW,
} from '../../domain/mention/classification.ts'
import { priorityOf } from '../../domain/mention/priority.ts'
import { MENTION_STATUSES, type MentionStatus } from '../../domain/mention/status.ts'
import { scorersOf } from '../../domain/mention/triage.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { type Platform, platformFromNumber, platformNumber } from '../../domain/platform/platforms.ts'
import {
  type Author,
  type Engagement,
  type Post,
  type ReplyTo,
  type Review,
  shownText,
} from '../../domain/post/post.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { columns } from '../../store/columns.ts'
import { type Reader, sql } from '../../store/database.ts'
import type { Score } from '../../store/model/score.ts'

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

const OWN_COLUMNS = `
  m.workspace_id, m.id, m.keyword_id, m.post_id, m.status, m.delivered, m.created_at, m.scored_at, m.failed, m.relevance, m.sentiment, m.intents, m.automated, m.language, m.confidence,
  m.note, m.followers, m.account_id, m.assignee_id, m.snoozed_until, m.triage_note, m.feedback_relevant, m.feedback_sentiment, m.feedback_at, m.original_relevance, m.original_sentiment`

/** What a selection of mentions `m` answers for `readShown`: the narrow row without what only conditions look at. */
export const MENTION_COLUMNS = sql.raw<FoundRow>(OWN_COLUMNS)

/**
 * What is shown of a mention beside its own row, by its place among those that were asked for. Each table is looked up
 * by its key.
 */
const SHOWN_BESIDE = `
  select m.place::int, coalesce(a.person_id, m.account_id) as person_id, nullif(pe.tags, '{}') as tags,
    u.id as assignee_id, u.name as assignee_name, u.email as assignee_email,
    k.term, g.id as group_id, g.name as group_name, g.external_id, g.is_default,
    p.platform, p.url, p.body, p.title, p.image_url, nullif(p.links, '{}') as links, p.published_at, p.engagement,
      p.reply_to, p.author, p.review
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) with ordinality m (workspace_id, keyword_id,
    post_id, account_id, assignee_id, place)
  join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
  join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
  join post p on p.id = m.post_id
  left join account a on a.workspace_id = m.workspace_id and a.id = m.account_id
  left join person pe on pe.workspace_id = m.workspace_id and pe.id = coalesce(a.person_id, m.account_id)
  left join membership ms on ms.workspace_id = m.workspace_id and ms.user_id = m.assignee_id
  left join user_account u on u.id = ms.user_id`

/** A mention's own row, as MENTION_COLUMNS. */
export interface FoundRow {
  workspace_id: Uuid
  id: Uuid
  keyword_id: Uuid
  post_id: Uuid
  account_id: Uuid | null
  assignee_id: Uuid | null
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
}

/** What the tables beside it say of a mention. */
interface BesideRow {
  /** That of the account while no person is known of it. */
  person_id: Uuid | null
  /** Null for none. */
  tags: readonly string[] | null
  /** Null when nobody looks after it, or somebody who has left. */
  assignee_id: Uuid | null
  assignee_name: string | null
  assignee_email: string | null
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
  /** Null for none. */
  links: string[] | null
  published_at: Date
  engagement: Engagement | null
  reply_to: ReplyTo | null
  author: Author | null
  review: ShownReview | null
}

/** All that is shown of a mention. */
export interface MentionRow {
  own: Omit<FoundRow, 'workspace_id' | 'post_id' | 'account_id' | 'assignee_id'>
  beside: BesideRow
}

/** A review as it is kept and shown: times as text. */
export type ShownReview = Omit<Review, 'responseAt'> & { responseAt: string | null }

/**
 * These mentions with all that is shown of them, in the same order; those whose keyword or post was removed meanwhile
 * are left out. A statement of its own, which is planned once a connection: planning the joins behind each list anew
 * took longer than running them.
 */
export async function readShown(reader: Reader, found: readonly FoundRow[]): Promise<MentionRow[]> {
  if (found.length === 0) return []
  const keys = [
    columns.uuids(found.map((row) => row.workspace_id)),
    columns.uuids(found.map((row) => row.keyword_id)),
    columns.uuids(found.map((row) => row.post_id)),
    columns.uuids(found.map((row) => row.account_id)),
    columns.uuids(found.map((row) => row.assignee_id)),
  ]
  const beside = await reader.run<BesideRow & { place: number }>('mentions-shown', SHOWN_BESIDE, keys)
  return beside
    .sort((one, other) => one.place - other.place)
    .map((row) => ({ own: found[row.place - 1]!, beside: row }))
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

/** A post as callers see it, whether or not it is stored. */
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
    text: shownText({ title, text }),
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

function authorOf(
  { id, name, handle, url, avatarUrl, followers }: Author,
  { person_id, tags }: BesideRow,
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

/**
 * Key by key, because the order of what the database keeps as JSON is its own: the same mention is always the same
 * text.
 */
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
  { assignee_id, assignee_name, assignee_email }: BesideRow,
  at: Date,
): Mention['triage'] {
  return {
    assignee: assignee_id && { id: toId('user', assignee_id), name: assignee_name!, email: assignee_email! },
    snoozedUntil: row.snoozed_until && row.snoozed_until > at ? row.snoozed_until.toISOString() : null,
    note: row.triage_note,
  }
}

/** What the database would answer of a mention that was scored at `scoredAt`, from what is in memory. */
export function rowOfScored({ mention, verdict, triage, person }: Score, scoredAt: Date): MentionRow {
  const { post, group } = mention
  return {
    own: {
      id: mention.mentionId,
      keyword_id: mention.keywordId,
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
    },
    beside: {
      person_id: person?.id ?? accountIdOf(mention.workspaceId, post.platform, post.author),
      tags: person?.tags ?? null,
      assignee_id: triage?.assignee?.id ?? null,
      assignee_name: triage?.assignee?.name ?? null,
      assignee_email: triage?.assignee?.email ?? null,
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
    },
  }
}

/**
 * Mentions of several workspaces by id, for deliveries; those that were removed are left out. Planned once a
 * connection, because planning took as long as reading, and by keys alone (`offset 0`): joined freely, all mentions of
 * all workspaces were read for a few.
 */
export async function readMentions(
  reader: Reader,
  wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[],
  at: Date,
): Promise<Map<Uuid, Mention>> {
  if (wanted.length === 0) return new Map()
  const once = [...new Map(wanted.map((one) => [one.mentionId, one])).values()]
  const found = await reader.run<FoundRow>(
    'mentions-by-id',
    `select m.* from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select ${OWN_COLUMNS} from mention m where m.workspace_id = t.workspace_id
       and m.id = t.id offset 0) m`,
    [columns.uuids(once.map((one) => one.workspaceId)), columns.uuids(once.map((one) => one.mentionId))],
  )
  return new Map((await readShown(reader, found)).map((row) => [row.own.id, mentionFromRow(row, at)]))
}
