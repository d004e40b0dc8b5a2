import type { Filterable, MentionFilter } from '../domain/filter/fields.ts'
import { hostAndParents, MENTION_STATUSES } from '../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../domain/filter/predicate.ts'
import type { KeywordKind } from '../domain/keyword/keyword.ts'
import { INTENTS, isRelevant, RELEVANCE_THRESHOLD, SENTIMENTS, type Verdict } from '../domain/mention/classification.ts'
import { platformFromNumber, platformNumber } from '../domain/post/platform.ts'
import type { Author, Post, Review } from '../domain/post/post.ts'
import { dayOf } from '../kernel/clock.ts'
import { groupBy } from '../kernel/group.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { MENTION } from '../kernel/money.ts'
import type { Database, Reader, Transaction } from './database.ts'
import { intentBits } from './filter-sql.ts'

/** A mention as it waits for its score, with all that scorers and rules may ask of it. */
export interface Unscored {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  keywordTerm: string
  keywordKind: KeywordKind
  keywordContext: string | null
  groupId: Uuid
  groupContext: string | null
  post: Post
  status: Filterable['status']
}

/** Takes mentions that wait and that nobody works on, oldest first; they are the caller's until `leasedUntil`. */
export async function claimUnscored(
  db: Database,
  { at, leasedUntil, limit }: { at: Date; leasedUntil: Date; limit: number },
): Promise<{ workspaceId: Uuid; mentionId: Uuid }[]> {
  const rows = await db.run<{ workspace_id: Uuid; mention_id: Uuid }>(
    'claim-unscored',
    `with due as (select workspace_id, mention_id from score_queue where leased_until <= $1 order by leased_until limit $3 for update skip locked)
     update score_queue q set leased_until = $2, attempts = least(attempts + 1, 32000) from due where q.workspace_id = due.workspace_id and q.mention_id = due.mention_id
     returning q.workspace_id, q.mention_id`,
    [at, leasedUntil, limit],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, mentionId: row.mention_id }))
}

interface UnscoredRow {
  workspace_id: Uuid
  id: Uuid
  keyword_id: Uuid
  term: string
  kind: KeywordKind
  context: string | null
  group_id: Uuid
  group_context: string
  status: number
  platform: number
  native_id: string
  url: string
  title: string | null
  body: string
  image_url: string | null
  links: string[]
  published_at: Date
  language_hint: string | null
  author: Author | null
  engagement: Post['engagement']
  reply_to: Post['replyTo']
  review: (Omit<Review, 'responseAt'> & { responseAt: string | null }) | null
}

/** What waits, read whole; mentions that were removed or scored meanwhile are left out. */
export async function readUnscored(reader: Reader, wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[]): Promise<Unscored[]> {
  const rows = await reader.run<UnscoredRow>(
    'read-unscored',
    `select m.workspace_id, m.id, m.keyword_id, k.term, k.kind, k.context, k.group_id, g.context as group_context, m.status, p.platform, p.native_id, p.url, p.title, p.body, p.image_url,
       p.links, p.published_at, p.language_hint, p.author, p.engagement, p.reply_to, p.review
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     join mention m on m.workspace_id = t.workspace_id and m.id = t.id
     join post p on p.id = m.post_id
     join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
     join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
     where m.scored_at is null order by m.id`,
    [wanted.map((one) => one.workspaceId), wanted.map((one) => one.mentionId)],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    mentionId: row.id,
    keywordId: row.keyword_id,
    keywordTerm: row.term,
    keywordKind: row.kind,
    keywordContext: row.context,
    groupId: row.group_id,
    groupContext: row.group_context || null,
    status: MENTION_STATUSES[row.status]!,
    post: postFromRow(row),
  }))
}

function postFromRow(row: UnscoredRow): Post {
  return {
    platform: platformFromNumber(row.platform),
    nativeId: row.native_id,
    url: row.url,
    title: row.title,
    text: row.body,
    imageUrl: row.image_url,
    links: row.links,
    publishedAt: row.published_at,
    languageHint: row.language_hint,
    author: row.author,
    engagement: row.engagement,
    replyTo: row.reply_to,
    review: row.review && { ...row.review, responseAt: row.review.responseAt ? new Date(row.review.responseAt) : null },
  }
}

/** The score of one mention: a verdict, or null when scoring failed for good. */
export interface Score {
  mention: Unscored
  verdict: Verdict | null
  /** Every normal form of the author, for rules that name people. */
  authorKeys: readonly string[]
}

/** A delivery that was written down and waits to be sent. */
export interface NewDelivery {
  workspaceId: Uuid
  deliveryId: Uuid
}

export interface ScoringOptions {
  at: Date
  /** Whether scored mentions are charged. */
  metered: boolean
}

/**
 * Writes scores down with everything that follows from them, in the caller's transaction: the charge, the counters, and
 * a delivery for each instant rule that wants the mention. A mention that has a score already keeps it and nothing
 * follows, so doing it twice charges and sends once.
 */
export async function recordScores(tx: Transaction, scores: readonly Score[], options: ScoringOptions): Promise<NewDelivery[]> {
  const once = [...new Map(scores.map((score) => [score.mention.mentionId, score])).values()]
  await lockCounters(tx, once)
  const written = await writeVerdicts(tx, once, options.at)
  if (written.length === 0) return []
  await charge(tx, written, options)
  return await deliverToRules(tx, written, options.at)
}

/** Everything that touches a keyword and its mentions locks the counter first, in one order. */
async function lockCounters(tx: Transaction, scores: readonly Score[]): Promise<void> {
  await tx.run(
    'score-lock-counters',
    `select from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id) order by c.workspace_id, c.keyword_id for update of c`,
    [scores.map(({ mention }) => mention.workspaceId), scores.map(({ mention }) => mention.keywordId)],
  )
}

async function writeVerdicts(tx: Transaction, scores: readonly Score[], at: Date): Promise<Score[]> {
  const rows = scores.map(({ mention, verdict }) => ({
    workspace_id: mention.workspaceId,
    id: mention.mentionId,
    failed: verdict === null,
    relevance: verdict?.relevance ?? null,
    sentiment: verdict ? SENTIMENTS.indexOf(verdict.sentiment) : null,
    intents: verdict ? intentBits(verdict.intents) : 0,
    automated: verdict?.automated ?? null,
    language: verdict?.language ?? null,
    confidence: verdict?.confidence ?? null,
    note: verdict?.note ?? null,
  }))
  const written = await tx.run<{ id: Uuid }>(
    'score-mentions',
    `with t as (
       select * from jsonb_to_recordset($1::jsonb) as r (workspace_id uuid, id uuid, failed boolean, relevance smallint, sentiment smallint, intents integer, automated boolean, language text,
         confidence float8, note text) order by workspace_id, id),
     done as (delete from score_queue q using t where q.workspace_id = t.workspace_id and q.mention_id = t.id)
     update mention m set scored_at = $2, failed = t.failed, relevance = t.relevance, sentiment = t.sentiment, intents = t.intents, automated = t.automated, language = t.language,
       confidence = t.confidence, note = t.note
     from t where m.workspace_id = t.workspace_id and m.id = t.id and m.scored_at is null returning m.id`,
    [JSON.stringify(rows), at],
  )
  const ids = new Set(written.map((row) => row.id))
  return scores.filter(({ mention }) => ids.has(mention.mentionId))
}

/** Counts what was scored on this day; a failed score is never charged. */
async function charge(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const rows = scores.map(({ mention, verdict }) => ({
    workspace_id: mention.workspaceId,
    keyword_id: mention.keywordId,
    scored: verdict !== null,
    relevant: isRelevant(verdict?.relevance ?? null),
  }))
  const values = [
    rows.map((row) => row.workspace_id),
    rows.map((row) => row.keyword_id),
    scores.map(({ mention }) => platformNumber(mention.post.platform)),
    rows.map((row) => row.scored),
    rows.map((row) => row.relevant),
  ]
  await tx.run(
    'score-relevant',
    `update keyword_counter c set relevant = c.relevant + t.relevant
     from (select workspace_id, keyword_id, count(*) filter (where relevant) as relevant from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as t (workspace_id, keyword_id, relevant)
       group by 1, 2 order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and t.relevant > 0`,
    [values[0], values[1], values[4]],
  )
  await tx.run(
    'score-usage',
    `insert into usage_day as u (workspace_id, day, keyword_id, platform, scored, relevant, billable, failed, mention_units)
     select workspace_id, $6::date, keyword_id, platform, count(*) filter (where scored), count(*) filter (where relevant), count(*) filter (where scored), count(*) filter (where not scored),
       count(*) filter (where scored) * $7::bigint
     from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::boolean[]) as t (workspace_id, keyword_id, platform, scored, relevant)
     group by workspace_id, keyword_id, platform order by workspace_id, keyword_id, platform
     on conflict (workspace_id, day, keyword_id, platform) do update set scored = u.scored + excluded.scored, relevant = u.relevant + excluded.relevant,
       billable = u.billable + excluded.billable, failed = u.failed + excluded.failed, mention_units = u.mention_units + excluded.mention_units`,
    [...values, dayOf(at), metered ? MENTION : 0],
  )
}

interface RuleRow {
  workspace_id: Uuid
  id: Uuid
  event: string
  version: number
  filter: MentionFilter
  channels: Uuid[]
}

/** Compiled filters by rule and version: rules are read afresh with each batch, but seldom change. */
const compiled = new Map<string, Predicate>()
const COMPILED_MAX = 20_000

function predicateFor(rule: RuleRow): Predicate {
  const key = `${rule.id} ${rule.version}`
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  // Without a floor of its own a rule sends what is relevant; what is not scored never passes either way.
  const predicate = predicateOf({ ...rule.filter, minRelevance: rule.filter.minRelevance ?? RELEVANCE_THRESHOLD })
  compiled.set(key, predicate)
  return predicate
}

async function deliverToRules(tx: Transaction, scores: readonly Score[], at: Date): Promise<NewDelivery[]> {
  const workspaces = [...new Set(scores.map(({ mention }) => mention.workspaceId))]
  const rules = await tx.run<RuleRow>(
    'score-rules',
    `select a.workspace_id, a.id, a.event, a.version, a.filter, array_agg(c.id order by ac.position) as channels
     from alert a join alert_channel ac on ac.workspace_id = a.workspace_id and ac.alert_id = a.id
     join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id and c.enabled
     where a.workspace_id = any($1::uuid[]) and a.enabled and a.mode = 'instant'
     group by a.workspace_id, a.id order by a.id`,
    [workspaces],
  )
  const byWorkspace = groupBy(rules, (rule) => rule.workspace_id)
  const rows = scores.flatMap((score) => deliveriesOf(score, byWorkspace.get(score.mention.workspaceId) ?? [], at))
  if (rows.length === 0) return []
  // A rule or channel that is removed meanwhile is waited for and then gets nothing, instead of undoing the scores.
  const made = await tx.run<{ workspace_id: Uuid; delivery_id: Uuid }>(
    'score-deliveries',
    `with wanted as (
       select t.* from jsonb_to_recordset($1::jsonb) as t (workspace_id uuid, id uuid, channel_id uuid, event text, alert_id uuid, mention_id uuid)
       join alert a on a.workspace_id = t.workspace_id and a.id = t.alert_id
       join channel c on c.workspace_id = t.workspace_id and c.id = t.channel_id order by t.workspace_id, t.alert_id, t.channel_id for key share of a, c),
     made as (
       insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, mention_id, status, created_at)
       select workspace_id, id, channel_id, 'mention', event, alert_id, mention_id, 'pending', $2 from wanted returning workspace_id, id, channel_id)
     insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at) select workspace_id, id, channel_id, $2 from made returning workspace_id, delivery_id`,
    [JSON.stringify(rows), at],
  )
  return made.map((row) => ({ workspaceId: row.workspace_id, deliveryId: row.delivery_id }))
}

function deliveriesOf(score: Score, rules: readonly RuleRow[], at: Date) {
  const { mention } = score
  if (mention.status !== 'open') return []
  const filterable = filterableOf(score)
  return rules
    .filter((rule) => predicateFor(rule)(filterable))
    .flatMap((rule) =>
      rule.channels.map((channel) => ({
        workspace_id: mention.workspaceId,
        id: newUuid(at),
        channel_id: channel,
        event: rule.event,
        alert_id: rule.id,
        mention_id: mention.mentionId,
      })),
    )
}

/** The scored mention as filters see it. */
export function filterableOf({ mention, verdict, authorKeys }: Score): Filterable {
  const { post } = mention
  return {
    keywordId: mention.keywordId,
    keywordKind: mention.keywordKind,
    groupId: mention.groupId,
    platform: post.platform,
    status: mention.status,
    relevance: verdict?.relevance ?? null,
    confidence: verdict?.confidence ?? null,
    sentiment: verdict?.sentiment ?? null,
    intents: verdict?.intents ?? [],
    automated: verdict?.automated ?? null,
    language: verdict?.language ?? null,
    followers: post.author?.followers ?? null,
    isReply: post.replyTo !== null,
    rating: post.review?.rating ?? null,
    likes: post.engagement?.likes ?? null,
    reposts: post.engagement?.reposts ?? null,
    replies: post.engagement?.replies ?? null,
    quotes: post.engagement?.quotes ?? null,
    views: post.engagement?.views ?? null,
    bookmarks: post.engagement?.bookmarks ?? null,
    linkHosts: post.links.flatMap((link) => (URL.canParse(link) ? hostAndParents(new URL(link).hostname) : [])),
    authorKeys,
  }
}

/** The intents behind stored bits. */
export function intentsFromBits(bits: number): (typeof INTENTS)[number][] {
  return INTENTS.filter((_, at) => (bits & (1 << at)) !== 0)
}
