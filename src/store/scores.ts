import { type Filterable, linkHostsOf, type MentionFilter } from '../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../domain/filter/predicate.ts'
import { intentBits, isRelevant, RELEVANCE_THRESHOLD, SENTIMENTS, type Verdict } from '../domain/mention/classification.ts'
import { platformNumber } from '../domain/post/platform.ts'
import { dayOf } from '../kernel/clock.ts'
import { groupBy } from '../kernel/group.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { MENTION } from '../kernel/money.ts'
import type { Transaction } from './database.ts'
import type { Unscored } from './unscored.ts'

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
    linkHosts: linkHostsOf(post.links),
    authorKeys,
  }
}
