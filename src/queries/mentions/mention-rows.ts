import { intentBits, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Author, Engagement, ReplyTo, Review } from '../../domain/post/post.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../../store/database.ts'
import { GivenRows, given } from '../../store/given-rows.ts'
import type { Score } from '../../store/model/score.ts'

export const OWN_COLUMNS = `
  m.workspace_id, m.id, m.keyword_id, m.post_id, m.status, m.delivered, m.created_at, m.scored_at, m.failed,
  m.relevance, m.sentiment, m.intents, m.automated, m.language, m.confidence,
  m.note, m.followers, m.account_id, m.assignee_id, m.snoozed_until, m.triage_note, m.feedback_relevant,
  m.feedback_sentiment, m.feedback_at, m.original_relevance, m.original_sentiment`

/** The columns of `m` for `readShown`, without those only conditions use. */
export const MENTION_COLUMNS = sql.raw<FoundRow>(OWN_COLUMNS)

const FOUND = new GivenRows<FoundRow>({
  workspace_id: given.uuid((row) => row.workspace_id),
  keyword_id: given.uuid((row) => row.keyword_id),
  post_id: given.uuid((row) => row.post_id),
  account_id: given.uuid((row) => row.account_id),
  assignee_id: given.uuid((row) => row.assignee_id),
})

/** What is shown beside a mention's own row, by position. Every table is read by key. */
const SHOWN_BESIDE = `
  select t.place::int, coalesce(a.person_id, t.account_id) as person_id, nullif(pe.tags, '{}') as tags,
    u.id as assignee_id, u.name as assignee_name, u.email as assignee_email,
    k.term, g.id as group_id, g.name as group_name, g.external_id, g.is_default,
    p.platform, p.url, p.body, p.title, p.image_url, nullif(p.links, '{}') as links, p.published_at, p.engagement,
      p.reply_to, p.author, p.review
  from ${FOUND.placed}
  join keyword k on k.workspace_id = t.workspace_id and k.id = t.keyword_id
  join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
  join post p on p.id = t.post_id
  left join account a on a.workspace_id = t.workspace_id and a.id = t.account_id
  left join person pe on pe.workspace_id = t.workspace_id and pe.id = coalesce(a.person_id, t.account_id)
  left join membership ms on ms.workspace_id = t.workspace_id and ms.user_id = t.assignee_id
  left join user_account u on u.id = ms.user_id`

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

export interface ContextRow {
  /** The account's id while there is no person. */
  person_id: Uuid | null
  tags: readonly string[] | null
  /** Null when unassigned or when the assignee has left. */
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
  links: string[] | null
  published_at: Date
  engagement: Engagement | null
  reply_to: ReplyTo | null
  author: Author | null
  review: ShownReview | null
}

export interface MentionRow {
  own: Omit<FoundRow, 'workspace_id' | 'post_id' | 'account_id' | 'assignee_id'>
  beside: ContextRow
}

/** Times as text. */
export type ShownReview = Omit<Review, 'responseAt'> & { responseAt: string | null }

/**
 * These mentions with all that is shown, in order; mentions without keyword or post are left out. A prepared statement:
 * planning the joins for each list took longer than running them.
 */
export async function readShown(reader: Reader, found: readonly FoundRow[]): Promise<MentionRow[]> {
  if (found.length === 0) return []
  const beside = await reader.run<ContextRow & { place: number }>('mentions-shown', SHOWN_BESIDE, FOUND.values(found))
  return beside
    .sort((first, second) => first.place - second.place)
    .map((row) => ({ own: found[row.place - 1]!, beside: row }))
}

/** The row that the database would return for a mention scored at `scoredAt`, from memory. */
export function rowOfScored(score: Score, scoredAt: Date): MentionRow {
  return { own: ownOfScored(score, scoredAt), beside: besideOfScored(score) }
}

function ownOfScored({ mention, verdict, triage }: Score, scoredAt: Date): MentionRow['own'] {
  const { post } = mention
  return {
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
    // Not clamped to the column's range: only the reach is shown, which is the same above it.
    followers: post.author?.followers ?? null,
    snoozed_until: triage?.snoozedUntil ?? null,
    triage_note: triage?.note ?? null,
    // A mention without a score has no feedback.
    feedback_relevant: null,
    feedback_sentiment: null,
    feedback_at: null,
    original_relevance: null,
    original_sentiment: null,
  }
}

function besideOfScored({ mention, triage, person }: Score): ContextRow {
  const { post, group } = mention
  return {
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
  }
}
