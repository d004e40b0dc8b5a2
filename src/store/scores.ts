// Long because the statements of one transaction stand together, in the order in which they lock.
import type { ChannelKind } from '../domain/delivery/channel-kind.ts'
import { MAX_ATTEMPTS } from '../domain/delivery/lifecycle.ts'
import { type Filterable, linkHostsOf, MENTION_STATUSES, type MentionFilter } from '../domain/filter/fields.ts'
import { type Predicate, predicateOf } from '../domain/filter/predicate.ts'
import { filterOfRule, RELEVANT_ONLY_KINDS } from '../domain/filter/rule-filter.ts'
import { intentBits, isRelevant, SENTIMENTS, type Verdict } from '../domain/mention/classification.ts'
import { accountIdOf } from '../domain/person/account.ts'
import { platformNumber } from '../domain/post/platform.ts'
import { dayOf } from '../kernel/clock.ts'
import { groupBy } from '../kernel/group.ts'
import { newUuid, type Uuid } from '../kernel/ids.ts'
import { MENTION } from '../kernel/money.ts'
import { columns } from './columns.ts'
import type { Transaction } from './database.ts'
import { type DueDelivery, instantState, type SendingChannel } from './deliveries.ts'
import { countRelevance, keyColumns } from './keyword-counts.ts'
import { markBlocksStale } from './mention-blocks.ts'
import { tellFollowers } from './mention-followers.ts'
import { brakeNoise } from './noise-brake.ts'
import { throughIndexes } from './outbox.ts'
import { COUNTED_COLUMNS, notingMentions, readKnownPeople } from './people.ts'
import type { Unscored } from './unscored.ts'

/** The score of one mention: a verdict, or null when scoring failed for good. */
export interface Score {
  mention: Unscored
  verdict: Verdict | null
  /** Every normal form of the author, for rules that name people. */
  authorKeys: readonly string[]
  /** What the team had done with the mention by the time its score was written down; absent before, and where that is nothing. */
  triage?: EarlyTriage
  /** The person behind the author, by the time the score was written down; absent before, and where there is none but the account itself. */
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

/** A delivery that was written down and waits to be sent, with all that sending it takes. */
export interface NewDelivery extends DueDelivery {
  score: Score
  /** Whether it stands in the queue under the lease of whoever admitted it; the others are claimed by turns. */
  admitted: boolean
}

/** Who sends deliveries right after they were written down. */
export interface Admission {
  leasedUntil: Date
  /** Whether there is room for one more of this channel; it then counts as taken. */
  admits(workspaceId: Uuid, channelId: Uuid): boolean
}

/** For callers that leave everything to the queue. */
const ADMITS_NOTHING: Admission = { leasedUntil: new Date(0), admits: () => false }

export interface ScoringOptions {
  at: Date
  /** Whether scored mentions are charged. */
  metered: boolean
  admission?: Admission
  /** No more deliveries are made at once, unless one mention alone makes more; 10,000 unless told otherwise. */
  deliveriesMax?: number
}

/** What became of scores. */
export interface Recorded {
  /** Those that were written down; the others had a score already, or their mention is gone. */
  written: Score[]
  /** In the order of the scores they follow from. */
  deliveries: NewDelivery[]
  /** Those that were not looked at, because enough follows from the ones before them: for further transactions. */
  left: Score[]
}

/** A batch of one workspace with many rules and channels would otherwise be millions of deliveries in one transaction. */
const DELIVERIES_MAX = 10_000

/**
 * Writes scores down with everything that follows from them, in the caller's transaction: the charge, the counters, and
 * a delivery for each instant rule that wants the mention. A mention that has a score already keeps it and nothing
 * follows, so doing it twice charges and sends once. Of many scores that make very many deliveries the first are written
 * down, at least one, and the others are answered as left.
 */
export async function recordScores(tx: Transaction, scores: readonly Score[], options: ScoringOptions): Promise<Recorded> {
  const once = [...new Map(scores.map((score) => [score.mention.mentionId, score])).values()]
  const [, known, rules] = await Promise.all([throughIndexes(tx), withPeople(tx, once), readRules(tx, once)])
  const wishes = wishesOf(rules, known, options.deliveriesMax ?? DELIVERIES_MAX)
  const [taken, left] = [known.slice(0, wishes.taken), once.slice(wishes.taken)]
  const [, written] = await Promise.all([lockCounters(tx, taken), writeVerdicts(tx, taken, options.at)])
  if (written.length === 0) return { written, deliveries: [], left }
  const mentions = written.map(({ mention }) => mention)
  await Promise.all([
    markBlocksStale(tx, mentions, options.at),
    charge(tx, written, options),
    tellFollowers(tx, mentions, options.at),
    countScores(tx, written, options),
  ])
  return { written, deliveries: await deliverToRules(tx, written, wishes, options), left }
}

/** The scores with what the workspaces have made of the authors. */
async function withPeople(tx: Transaction, scores: readonly Score[]): Promise<Score[]> {
  const accounts = scores.map(({ mention: { workspaceId, post } }) => ({ workspaceId, accountId: accountIdOf(workspaceId, post.platform, post.author) }))
  const people = await readKnownPeople(
    tx,
    accounts.flatMap(({ workspaceId, accountId }) => (accountId === null ? [] : [{ workspaceId, accountId }])),
  )
  return scores.map((score, at) => {
    const { accountId } = accounts[at]!
    const person = accountId === null ? undefined : people.get(accountId)
    return person === undefined ? score : { ...score, person }
  })
}

/** Everything that touches a keyword and its mentions locks the counter first, in one order, and the mentions by their ids. */
async function lockCounters(tx: Transaction, scores: readonly Score[]): Promise<void> {
  await tx.run(
    'score-lock-counters',
    `select from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id) order by c.workspace_id, c.keyword_id for update of c`,
    keyColumns(scores.map(({ mention }) => mention)),
  )
}

interface WrittenRow extends EarlyTriage {
  id: Uuid
  status: number
  /** The person behind the author when they are muted by now. */
  muted: ScoredPerson | null
}

/**
 * Answers what was really written, each with the status that the mention has by now and what the team has done with it, and
 * with its author. Who is muted while the counters are waited for is found here; muting waits for them too, and later
 * finds the deliveries to cancel.
 */
async function writeVerdicts(tx: Transaction, scores: readonly Score[], at: Date): Promise<Score[]> {
  const sorted = [...scores].sort((a, b) => (a.mention.mentionId < b.mention.mentionId ? -1 : 1))
  const verdicts = sorted.map(({ verdict }) => verdict)
  const written = await tx.run<WrittenRow>(
    'score-mentions',
    `with t as materialized (
       select * from unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::smallint[], $6::smallint[], $7::int[], $8::boolean[], $9::text[], $10::float8[], $11::text[])
         as t (workspace_id, id, failed, relevance, sentiment, intents, automated, language, confidence, note)),
     done as (delete from score_queue q using t where q.workspace_id = t.workspace_id and q.mention_id = t.id),
     scored as (
     update mention m set scored_at = $1, failed = t.failed, relevance = t.relevance, sentiment = t.sentiment, intents = t.intents, automated = t.automated, language = t.language,
       confidence = t.confidence, note = t.note, counted_on = (select w.settled_through + 1 from workspace w where w.id = m.workspace_id and w.settled_through >= $12::date)
     from t where m.workspace_id = t.workspace_id and m.id = t.id and m.scored_at is null
     returning ${COUNTED_COLUMNS}, m.status, m.snoozed_until as "snoozedUntil", m.triage_note,
       case when m.assignee_id is not null then (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) from user_account u where u.id = m.assignee_id) end as assignee,
       (select jsonb_build_object('id', p.id, 'tags', p.tags, 'muted', true) from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
         where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted) as muted),
     noted as (${notingMentions('scored', 'come')})
     select id, status, "snoozedUntil", triage_note as note, assignee, muted from scored`,
    [
      at,
      columns.uuids(sorted.map(({ mention }) => mention.workspaceId)),
      columns.uuids(sorted.map(({ mention }) => mention.mentionId)),
      columns.booleans(verdicts.map((verdict) => verdict === null)),
      columns.smallints(verdicts.map((verdict) => verdict?.relevance ?? null)),
      columns.smallints(verdicts.map((verdict) => (verdict ? SENTIMENTS.indexOf(verdict.sentiment) : null))),
      columns.integers(verdicts.map((verdict) => (verdict ? intentBits(verdict.intents) : 0))),
      columns.booleans(verdicts.map((verdict) => verdict?.automated ?? null)),
      columns.texts(verdicts.map((verdict) => verdict?.language ?? null)),
      columns.doubles(verdicts.map((verdict) => verdict?.confidence ?? null)),
      columns.texts(verdicts.map((verdict) => verdict?.note ?? null)),
      dayOf(at),
    ],
  )
  const rows = new Map(written.map((row) => [row.id, row]))
  return scores.flatMap((score) => {
    const row = rows.get(score.mention.mentionId)
    return row ? [asWritten(score, row)] : []
  })
}

/** Nearly always the score as it came. */
function asWritten(score: Score, { status: number, assignee, snoozedUntil, note, muted }: WrittenRow): Score {
  const status = MENTION_STATUSES[number]!
  const known = muted === null ? score : { ...score, person: muted }
  const current = status === known.mention.status ? known : { ...known, mention: { ...known.mention, status } }
  return assignee || snoozedUntil || note !== null ? { ...current, triage: { assignee, snoozedUntil, note } } : current
}

/**
 * Counts what was scored on this day; a failed score is never charged, nor is what is free. A score that comes when its
 * day is settled already, which happens to one that was begun just before, counts for the first day that is not, and its
 * mention says so, for who marks it later. The counters are locked by now and settling locks them too, so the day is
 * settled either before or with these. Where something is charged a note is left for whoever watches the wallets.
 */
async function charge(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const rows = scores.map(({ mention, verdict }) => ({
    workspace_id: mention.workspaceId,
    keyword_id: mention.keywordId,
    scored: verdict !== null,
    billable: verdict !== null && !mention.free,
    relevant: isRelevant(verdict?.relevance ?? null),
  }))
  const values = [
    columns.uuids(rows.map((row) => row.workspace_id)),
    columns.uuids(rows.map((row) => row.keyword_id)),
    columns.smallints(scores.map(({ mention }) => platformNumber(mention.post.platform))),
    columns.booleans(rows.map((row) => row.scored)),
    columns.booleans(rows.map((row) => row.relevant)),
    columns.booleans(rows.map((row) => row.billable)),
  ]
  const counting = tx.run(
    'score-counters',
    `update keyword_counter c set relevant = c.relevant + t.relevant, cost_month = greatest(c.cost_month, t.month),
       month_billable = case when c.cost_month > t.month then c.month_billable when c.cost_month = t.month then c.month_billable + t.billable else t.billable end,
       month_units = case when c.cost_month > t.month then c.month_units when c.cost_month = t.month then c.month_units + t.billable * $6::bigint else t.billable * $6::bigint end
     from (select t.workspace_id, keyword_id, date_trunc('month', greatest($5::date, w.settled_through + 1))::date as month, count(*) filter (where relevant) as relevant,
         count(*) filter (where billable) as billable
       from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) as t (workspace_id, keyword_id, relevant, billable) join workspace w on w.id = t.workspace_id
       group by t.workspace_id, keyword_id, w.settled_through order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and (t.relevant > 0 or t.billable > 0)`,
    [values[0], values[1], values[4], values[5], dayOf(at), metered ? MENTION : 0],
  )
  const using = tx.run(
    'score-usage',
    `with t as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::boolean[], $6::boolean[]) as t (workspace_id, keyword_id, platform, scored, relevant, billable)),
     spent as (insert into wallet_spent (workspace_id) select distinct workspace_id from t where billable and $8::bigint > 0)
     insert into usage_day as u (workspace_id, day, keyword_id, platform, scored, relevant, billable, failed, mention_units)
     select t.workspace_id, greatest($7::date, w.settled_through + 1), keyword_id, platform, count(*) filter (where scored), count(*) filter (where relevant),
       count(*) filter (where billable), count(*) filter (where not scored), count(*) filter (where billable) * $8::bigint
     from t join workspace w on w.id = t.workspace_id
     group by t.workspace_id, w.settled_through, keyword_id, platform order by t.workspace_id, keyword_id, platform
     on conflict (workspace_id, day, keyword_id, platform) do update set scored = u.scored + excluded.scored, relevant = u.relevant + excluded.relevant,
       billable = u.billable + excluded.billable, failed = u.failed + excluded.failed, mention_units = u.mention_units + excluded.mention_units`,
    [...values, dayOf(at), metered ? MENTION : 0],
  )
  await Promise.all([counting, using])
}

/** Counts the scores for the statistics of their keywords, and stops keywords that turn out to bring noise. */
async function countScores(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const moves = scores.map(({ mention: { workspaceId, keywordId, createdAt }, verdict }) => ({
    ...{ workspaceId, keywordId, createdAt },
    before: null,
    after: verdict?.relevance ?? null,
  }))
  await Promise.all([countRelevance(tx, moves, at), metered ? brakeNoise(tx, moves, at) : undefined])
}

interface RuleRow {
  workspace_id: Uuid
  id: Uuid
  event: string
  version: number
  /** As text, because it seldom has to be read. */
  filter: string
  channels: Uuid[]
  /** Those of them that take relevant mentions only, however low the floor of the rule. */
  relevant_only: Uuid[] | null
}

/** Compiled filters by rule and version: rules are read afresh with each batch, but seldom change. */
const compiled = new Map<string, Predicate>()
const COMPILED_MAX = 20_000

function predicateFor(rule: RuleRow): Predicate {
  const key = `${rule.id} ${rule.version}`
  const known = compiled.get(key)
  if (known) return known
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  const predicate = predicateOf(filterOfRule(JSON.parse(rule.filter) as MentionFilter))
  compiled.set(key, predicate)
  return predicate
}

/** One rule that wants one mention through one of its channels. */
interface Wanted {
  score: Score
  rule: RuleRow
  channelId: Uuid
}

/** Which rules want which mentions, by what is known before any is locked. */
interface Wishes {
  /** How many of the first scores make no more deliveries together than are allowed at once; one at least. */
  taken: number
  /** Through which channels one of these is wanted, whatever its status. */
  of(score: Score): Wanted[]
}

/** The instant rules of the workspaces of these scores, each with its channels. */
async function readRules(tx: Transaction, scores: readonly Score[]): Promise<Map<Uuid, RuleRow[]>> {
  const workspaces = [...new Set(scores.map(({ mention }) => mention.workspaceId))]
  const rules = await tx.run<RuleRow>(
    'score-rules',
    `select a.workspace_id, a.id, a.event, a.version, a.filter::text as filter, array_agg(c.id order by ac.position) as channels,
       array_agg(c.id) filter (where c.kind = any($2::text[])) as relevant_only
     from alert a join alert_channel ac on ac.workspace_id = a.workspace_id and ac.alert_id = a.id
     join channel c on c.workspace_id = ac.workspace_id and c.id = ac.channel_id and c.enabled
     where a.workspace_id = any($1::uuid[]) and a.enabled and a.mode = 'instant'
     group by a.workspace_id, a.id order by a.id`,
    [workspaces, RELEVANT_ONLY_KINDS],
  )
  return groupBy(rules, (rule) => rule.workspace_id)
}

function wishesOf(rules: ReadonlyMap<Uuid, readonly RuleRow[]>, scores: readonly Score[], deliveriesMax: number): Wishes {
  // A rule cannot ask for a status, so what is found for a mention holds although it is closed meanwhile.
  const found = new Map<Uuid, Omit<Wanted, 'score'>[]>()
  let count = 0
  for (const score of scores) {
    const filterable = filterableOf(score)
    const own = score.person?.muted ? [] : (rules.get(score.mention.workspaceId) ?? []).filter((rule) => predicateFor(rule)(filterable))
    const wanted = own.flatMap((rule) => channelsFor(rule, score).map((channelId) => ({ rule, channelId })))
    count += wanted.length
    if (count > deliveriesMax && found.size > 0) break
    found.set(score.mention.mentionId, wanted)
  }
  // The score that is written down tells more than the one that was looked at.
  const of = (score: Score) => found.get(score.mention.mentionId)!.map((wish) => ({ ...wish, score }))
  return { taken: found.size, of }
}

function channelsFor(rule: RuleRow, { verdict }: Score): readonly Uuid[] {
  const { channels, relevant_only: picky } = rule
  return picky === null || isRelevant(verdict?.relevance ?? null) ? channels : channels.filter((id) => !picky.includes(id))
}

async function deliverToRules(
  tx: Transaction,
  scores: readonly Score[],
  wishes: Wishes,
  { at, admission = ADMITS_NOTHING }: ScoringOptions,
): Promise<NewDelivery[]> {
  const wanted = scores.filter(({ mention, person }) => mention.status === 'open' && !person?.muted).flatMap(wishes.of)
  if (wanted.length === 0) return []
  const [names, channels] = await Promise.all([holdRules(tx, wanted), holdChannels(tx, wanted)])
  const deliveries = wanted.flatMap((one): NewDelivery[] => {
    const [name, channel] = [names.get(one.rule.id), channels.get(one.channelId)]
    return name !== undefined && channel?.enabled ? [newDelivery(one, name, channel, at, admission)] : []
  })
  if (deliveries.length > 0) await writeDeliveries(tx, deliveries, at, admission.leasedUntil)
  return deliveries
}

/**
 * The names of the rules, held until the transaction ends. One that is removed meanwhile is waited for and then gets
 * nothing, as one that was switched off or sends digests by now does, instead of undoing the scores; one that is removed
 * afterwards finds the deliveries to cancel.
 */
async function holdRules(tx: Transaction, wanted: readonly Wanted[]): Promise<Map<Uuid, string>> {
  const rules = [...new Set(wanted.map(({ rule }) => rule))]
  const rows = await tx.run<{ id: Uuid; name: string }>(
    'score-hold-rules',
    `select a.id, a.name from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) join alert a on a.workspace_id = t.workspace_id and a.id = t.id
     where a.enabled and a.mode = 'instant' order by a.workspace_id, a.id for key share of a`,
    [columns.uuids(rules.map((rule) => rule.workspace_id)), columns.uuids(rules.map((rule) => rule.id))],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** The channels, held in the same way. */
async function holdChannels(tx: Transaction, wanted: readonly Wanted[]): Promise<Map<Uuid, SendingChannel>> {
  const owners = new Map(wanted.map(({ rule, channelId }) => [channelId, rule.workspace_id]))
  const rows = await tx.run<{ id: Uuid; kind: ChannelKind; enabled: boolean; settings: string; secret_sealed: string | null }>(
    'score-hold-channels',
    `select c.id, c.kind, c.enabled, c.config::text as settings, c.secret_sealed
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id) join channel c on c.workspace_id = t.workspace_id and c.id = t.id
     order by c.workspace_id, c.id for key share of c`,
    [columns.uuids([...owners.values()]), columns.uuids([...owners.keys()])],
  )
  return new Map(rows.map((row) => [row.id, { kind: row.kind, enabled: row.enabled, settings: row.settings, secretSealed: row.secret_sealed }]))
}

function newDelivery({ score, rule, channelId }: Wanted, name: string, channel: SendingChannel, at: Date, admission: Admission): NewDelivery {
  const { workspaceId, mentionId } = score.mention
  return {
    workspaceId,
    deliveryId: newUuid(at),
    channelId,
    kind: 'mention',
    event: rule.event,
    alert: { id: rule.id, name },
    mentionId,
    data: null,
    createdAt: at,
    channel,
    state: instantState({ status: 'pending', attempts: 0, attempt_limit: MAX_ATTEMPTS }),
    score,
    admitted: admission.admits(workspaceId, channelId),
  }
}

async function writeDeliveries(tx: Transaction, deliveries: readonly NewDelivery[], at: Date, leasedUntil: Date): Promise<void> {
  await tx.run(
    'score-deliveries',
    `with t as materialized (
       select * from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::uuid[], $9::boolean[]) as t (workspace_id, id, channel_id, event, alert_id, mention_id, admitted)),
     made as (
       insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, mention_id, status, attempt_limit, created_at)
       select workspace_id, id, channel_id, 'mention', event, alert_id, mention_id, 'pending', $10, $1 from t)
     insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at, leased_until, era)
     select workspace_id, id, channel_id, $1, case when admitted then $2::timestamptz end, (select era from delivery_era where current) from t`,
    [
      at,
      leasedUntil,
      columns.uuids(deliveries.map((one) => one.workspaceId)),
      columns.uuids(deliveries.map((one) => one.deliveryId)),
      columns.uuids(deliveries.map((one) => one.channelId)),
      columns.texts(deliveries.map((one) => one.event)),
      columns.uuids(deliveries.map((one) => one.alert!.id)),
      columns.uuids(deliveries.map((one) => one.mentionId)),
      columns.booleans(deliveries.map((one) => one.admitted)),
      MAX_ATTEMPTS,
    ],
  )
}

/** The scored mention as filters see it. */
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
