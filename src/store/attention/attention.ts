import type { AttentionKeyword, AttentionWindow } from '../../domain/attention/findings.ts'
import { ATTENTION_KEPT_MS, ATTENTION_RULES, type AttentionKind } from '../../domain/attention/kinds.ts'
import { type HourlyBaseline, historyBefore, type SentimentCounts } from '../../domain/attention/spikes.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import { NOISE_RULE } from '../../domain/keyword/keyword.ts'
import { RELEVANCE_THRESHOLD, SENTIMENTS } from '../../domain/mention/classification.ts'
import { DAY_MS, HOUR_MS, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../kernel/ids.ts'
import { noiseSince } from '../counts/keyword-counts.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { deleteInPortions, PORTION } from '../delete-in-portions.ts'

/** How far it was looked, as ends of full hours. */
export interface Look {
  /** For which a look was begun last. */
  begun: Date
  /** Until when it was looked everywhere; null before the first look is over. */
  until: Date | null
  /** When it was looked again after the service had been off for long; null while it never was. */
  collectingSince: Date | null
}

/** A look that lies further ahead than this comes from a clock that was wrong. */
const AHEAD_AT_MOST_MS = DAY_MS

/**
 * Null before the first look. One that lies more than a day ahead of the hour that is to be looked at counts as none.
 */
export async function readLook(reader: Reader, until: Date): Promise<Look | null> {
  const [look] = await reader.query<Look>(
    sql`select begun, until, collecting_since as "collectingSince" from attention_look
        where begun <= ${plus(until, AHEAD_AT_MOST_MS)}`,
  )
  return look ?? null
}

/**
 * Whether a look at the hours until this one is to be taken, after this one: neither is it over, nor was a later one
 * begun.
 */
export function isDue(look: Look | null, until: Date): boolean {
  return look === null || (look.begun <= until && (look.until === null || look.until < until))
}

/**
 * Begins a look, or takes one up that was begun and did not end; answers how far it was looked before, or null when it
 * is not to be taken. One that comes long after the last remembers that nothing was collected meanwhile.
 */
export async function beginLook(tx: Transaction, until: Date, at: Date): Promise<Look | null> {
  await lockLook(tx)
  const last = await readLook(tx, until)
  if (!isDue(last, until)) return null
  const wasOff = last !== null && until.getTime() - last.begun.getTime() > ATTENTION_RULES.offAfterMs
  const look: Look = {
    begun: until,
    until: last?.until ?? null,
    collectingSince: wasOff ? at : (last?.collectingSince ?? null),
  }
  await tx.query(sql`
    insert into attention_look (begun, until, collecting_since)
      values (${look.begun}, ${look.until}, ${look.collectingSince})
    on conflict (only_one) do update set begun = excluded.begun, until = excluded.until,
      collecting_since = excluded.collecting_since`)
  return look
}

/**
 * Lets looks take turns until the transaction ends: two at once would both open an item. False when this one is over or
 * was overtaken meanwhile.
 */
export async function holdLook(tx: Transaction, until: Date): Promise<boolean> {
  await lockLook(tx)
  return isDue(await readLook(tx, until), until)
}

/** It was looked everywhere, unless a later look has been begun. */
export async function endLook(tx: Transaction, until: Date): Promise<void> {
  await tx.query(sql`update attention_look set until = ${until} where begun = ${until}`)
}

async function lockLook(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('attention look', 0))`)
}

/** The next workspaces after this one, in the order of their ids. */
export async function nextWorkspaces(reader: Reader, after: Uuid, limit: number): Promise<Uuid[]> {
  return (
    await reader.query<{ id: Uuid }>(sql`select id from workspace where id > ${after} order by id limit ${limit}`)
  ).map((row) => row.id)
}

/** What the last hour and the last day brought to a keyword. */
export interface RecentHours {
  workspaceId: Uuid
  keywordId: Uuid
  /** Of the last full hour: matches whose posts were new, and those of them that are relevant. */
  fresh: number
  freshRelevant: number
  /** Of the last 24 full hours. */
  day: SentimentCounts
}

/**
 * Counts the mentions of these workspaces from one full hour to another and keeps what has changed. Reads the mentions
 * of the span, along their primary key, and none before it.
 */
export async function countHours(
  tx: Transaction,
  workspaceIds: readonly Uuid[],
  { from, until }: AttentionWindow,
): Promise<void> {
  await tx.run(
    'attention-count-hours',
    `with counted as materialized (
       select w.id as workspace_id, m.* from unnest($1::uuid[]) as w (id) cross join lateral (
         select keyword_id, date_trunc('hour', created_at, 'UTC') as hour,
           count(*) filter (where published_at >= created_at - $6::int * interval '1 millisecond') as fresh,
           count(*) filter (where published_at >= created_at - $6::int * interval '1 millisecond'
             and relevance >= ${RELEVANCE_THRESHOLD}) as fresh_relevant,
           count(relevance) as scored, count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}) as relevant,
           count(*) filter (where relevance >= ${RELEVANCE_THRESHOLD}
             and sentiment = ${SENTIMENTS.indexOf('negative')}) as negative
         from mention m where m.workspace_id = w.id and m.id >= $2 and m.id < $3 group by 1, 2 offset 0) m),
     gone as (
       delete from attention_hour h where h.workspace_id = any($1::uuid[]) and h.hour >= $4 and h.hour < $5
         and not exists (select from counted c where c.workspace_id = h.workspace_id and c.keyword_id = h.keyword_id
           and c.hour = h.hour))
     insert into attention_hour as h (workspace_id, keyword_id, hour, fresh, fresh_relevant, scored, relevant, negative)
     select workspace_id, keyword_id, hour, fresh, fresh_relevant, scored, relevant, negative from counted
     on conflict (workspace_id, keyword_id, hour) do update
       set fresh = excluded.fresh, fresh_relevant = excluded.fresh_relevant, scored = excluded.scored,
       relevant = excluded.relevant, negative = excluded.negative
     where (h.fresh, h.fresh_relevant, h.scored, h.relevant, h.negative)
       is distinct from (excluded.fresh, excluded.fresh_relevant, excluded.scored, excluded.relevant,
         excluded.negative)`,
    [workspaceIds, firstUuidAt(from), firstUuidAt(until), from, until, ATTENTION_RULES.spike.freshMs],
  )
}

/**
 * The keywords of these workspaces of which enough came in the hours that were counted that they may deserve a look.
 */
export async function readRecent(reader: Reader, workspaceIds: readonly Uuid[], until: Date): Promise<RecentHours[]> {
  const { spike, negativeSpike } = ATTENTION_RULES
  const rows = await reader.run<
    { workspace_id: Uuid; keyword_id: Uuid; fresh: number; fresh_relevant: number } & SentimentCounts
  >(
    'attention-recent',
    `select w.id as workspace_id, h.* from unnest($1::uuid[]) as w (id) cross join lateral (
       select keyword_id, coalesce(sum(fresh) filter (where hour >= $4), 0)::bigint as fresh,
         coalesce(sum(fresh_relevant) filter (where hour >= $4), 0)::bigint as fresh_relevant,
         sum(scored)::bigint as scored, sum(relevant)::bigint as relevant, sum(negative)::bigint as negative
       from attention_hour where workspace_id = w.id and hour >= $2 and hour < $3 group by 1 offset 0) h
     where fresh >= ${spike.matchesAtLeast} or (scored >= ${negativeSpike.scoredAtLeast}
       and negative >= ${negativeSpike.negativeAtLeast})`,
    [workspaceIds, plus(until, -negativeSpike.windowHours * HOUR_MS), until, plus(until, -HOUR_MS)],
  )
  return rows.map(({ workspace_id, keyword_id, fresh, fresh_relevant, ...day }) => ({
    workspaceId: workspace_id,
    keywordId: keyword_id,
    fresh,
    freshRelevant: fresh_relevant,
    day,
  }))
}

/**
 * A keyword with what the week before brought to it, as far as it collected, and of sentiment was scored, then as it
 * does now.
 */
export interface KeywordBaselines extends RecentHours {
  keyword: AttentionKeyword
  /** Before the last full hour. */
  hourly: HourlyBaseline
  /** Before the last day. */
  sentiment: SentimentCounts & { hours: number }
}

/**
 * The keywords of these with their weeks before. What is usual counts from the last moment at which a keyword was made
 * or unmuted, or its rules or platforms changed, or it had stopped for its limit, or everything began again; of scores
 * also from the last change of its context. Those that are gone are left out.
 */
export async function readBaselines(
  reader: Reader,
  recent: readonly RecentHours[],
  until: Date,
  collectingSince: Date | null,
): Promise<KeywordBaselines[]> {
  if (recent.length === 0) return []
  const keywords = await reader.query<KeywordRow & { since: Date; judged_since: Date }>(sql`
    select ${KEYWORD_COLUMNS}, k.judged_since,
      greatest(k.created_at, k.collects_since, ${collectingSince}::timestamptz, case when p.seen < ${until} then p.seen
        when p.seen_before < ${until} then p.seen_before end + interval '1 hour') as since
    from unnest(${recent.map((one) => one.workspaceId)}::uuid[], ${recent.map((one) => one.keywordId)}::uuid[]) as t
      (workspace_id, keyword_id)
    join keyword k on k.workspace_id = t.workspace_id and k.id = t.keyword_id
    join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
    left join attention_gap p on p.workspace_id = k.workspace_id and p.keyword_id = k.id`)
  const hourFrom = plus(until, -HOUR_MS)
  const dayFrom = plus(until, -ATTENTION_RULES.negativeSpike.windowHours * HOUR_MS)
  const histories = new Map(
    keywords.map(({ id, since, judged_since }) => [
      id,
      { hourly: historyBefore(hourFrom, since), sentiment: historyBefore(dayFrom, latest(since, judged_since)) },
    ]),
  )
  const sums = await readSums(reader, keywords, { hourFrom, dayFrom, histories })
  const rows = new Map(keywords.map((row) => [row.id, row]))
  return recent.flatMap((one) => {
    const row = rows.get(one.keywordId)
    if (row === undefined) return []
    const { hourly, sentiment } = histories.get(row.id)!
    const { matches, squares, ...counts } = sums.get(row.id)!
    return [
      {
        ...one,
        keyword: keywordFrom(row),
        hourly: { hours: hourly.hours, matches, squares },
        sentiment: { hours: sentiment.hours, ...counts },
      },
    ]
  })
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}

interface Histories {
  hourFrom: Date
  dayFrom: Date
  histories: ReadonlyMap<Uuid, { hourly: { from: Date }; sentiment: { from: Date } }>
}

async function readSums(
  reader: Reader,
  keywords: readonly KeywordRow[],
  { hourFrom, dayFrom, histories }: Histories,
): Promise<Map<Uuid, SentimentCounts & { matches: number; squares: number }>> {
  const rows = await reader.run<SentimentCounts & { keyword_id: Uuid; matches: number; squares: number }>(
    'attention-baselines',
    `select t.keyword_id, b.* from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) as t
        (workspace_id, keyword_id, hourly_from, sentiment_from)
     cross join lateral (
       select coalesce(sum(fresh) filter (where hour >= t.hourly_from), 0)::bigint as matches,
         coalesce(sum(fresh::bigint * fresh) filter (where hour >= t.hourly_from), 0)::bigint as squares,
         coalesce(sum(scored) filter (where hour >= t.sentiment_from and hour < $6), 0)::bigint as scored,
         coalesce(sum(relevant) filter (where hour >= t.sentiment_from and hour < $6), 0)::bigint as relevant,
         coalesce(sum(negative) filter (where hour >= t.sentiment_from and hour < $6), 0)::bigint as negative
       from attention_hour h where h.workspace_id = t.workspace_id and h.keyword_id = t.keyword_id
         and h.hour >= least(t.hourly_from, t.sentiment_from) and h.hour < $5) b`,
    [
      keywords.map((row) => row.workspace_id),
      keywords.map((row) => row.id),
      keywords.map((row) => histories.get(row.id)!.hourly.from),
      keywords.map((row) => histories.get(row.id)!.sentiment.from),
      hourFrom,
      dayFrom,
    ],
  )
  return new Map(rows.map(({ keyword_id, ...sums }) => [keyword_id, sums]))
}

/**
 * Notes which keywords of these workspaces do not collect for their limit, for what is usual of them later, and drops
 * hours that nobody asks for any longer.
 */
export async function tidyHours(tx: Transaction, workspaceIds: readonly Uuid[], until: Date): Promise<void> {
  const before = plus(until, -COUNTED_HOURS * HOUR_MS)
  await tx.query(sql`
    insert into attention_gap as g (workspace_id, keyword_id, seen)
    select workspace_id, id, ${until} from keyword where workspace_id = any(${workspaceIds}::uuid[]) and paused_for_cap
    on conflict (workspace_id, keyword_id) do update set seen = excluded.seen, seen_before = g.seen
      where g.seen < excluded.seen`)
  await tx.query(sql`delete from attention_gap where workspace_id = any(${workspaceIds}::uuid[]) and seen < ${before}`)
  await tx.query(sql`delete from attention_hour where workspace_id = any(${workspaceIds}::uuid[]) and hour < ${before}`)
}

/** The hours that matter: the last day and the week before it. */
export const COUNTED_HOURS = ATTENTION_RULES.negativeSpike.windowHours + ATTENTION_RULES.baselineHours

/** A keyword with its scored matches since it was last judged anew. */
export interface JudgedKeyword {
  workspaceId: Uuid
  keyword: AttentionKeyword
  scored: number
  relevant: number
}

/**
 * The keywords of these workspaces of which enough was scored that they may be called noisy: those that collect, and
 * those that the noise itself has stopped.
 */
export async function readJudged(reader: Reader, workspaceIds: readonly Uuid[], at: Date): Promise<JudgedKeyword[]> {
  const rows = await reader.query<KeywordRow & { scored: number; relevant: number }>(sql`
    select ${KEYWORD_COLUMNS}, r.scored, r.relevant
    from (
      select workspace_id, keyword_id, sum(judged_scored)::bigint as scored, sum(judged_relevant)::bigint as relevant
        from keyword_recent
      where workspace_id = any(${workspaceIds}::uuid[]) and day >= ${noiseSince(at)}::date
        group by 1, 2 having sum(judged_scored) >= ${NOISE_RULE.scoredAtLeast}) r
    join keyword k on k.workspace_id = r.workspace_id and k.id = r.keyword_id
    join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
    where k.paused_for_noise or not (k.muted or k.paused_for_cap)`)
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    keyword: keywordFrom(row),
    scored: row.scored,
    relevant: row.relevant,
  }))
}

/** A channel through which nothing gets any more. */
export interface FailingChannel {
  workspaceId: Uuid
  channel: { id: Uuid; kind: ChannelKind; label: string }
  /** Deliveries that failed since the last one that arrived, of those made within the time that is looked at. */
  failures: number
  /** Why the last of them failed. */
  lastError: string | null
  /** When the first of them was made. */
  since: Date
}

/**
 * The channels of these workspaces that are on and whose last deliveries that have ended all failed. A channel's log is
 * walked from its end until enough have ended; only of those that fail the whole span is read.
 */
export async function readFailing(reader: Reader, workspaceIds: readonly Uuid[], at: Date): Promise<FailingChannel[]> {
  const { deliveries, withinMs } = ATTENTION_RULES.failing
  const rows = await reader.run<{
    workspace_id: Uuid
    id: Uuid
    kind: ChannelKind
    label: string
    failures: number
    last_error: string | null
    since: Date
  }>(
    'attention-failing',
    `select c.workspace_id, c.id, c.kind, c.label, f.failures, f.last_error, f.since
     from channel c
     cross join lateral (
       select count(*) filter (where status = 'failed') as failed from (
         select d.status from delivery d where d.workspace_id = c.workspace_id and d.channel_id = c.id and d.id >= $2
           and d.status in ('delivered', 'failed')
         order by d.id desc limit ${deliveries}) last) l
     cross join lateral (
       select count(*) as failures, (array_agg(d.error order by d.id desc))[1] as last_error, min(d.created_at) as since
       from delivery d where l.failed = ${deliveries} and d.workspace_id = c.workspace_id and d.channel_id = c.id
         and d.status = 'failed'
         and d.id >= coalesce((select o.id from delivery o where o.workspace_id = c.workspace_id and o.channel_id = c.id
           and o.id >= $2 and o.status = 'delivered'
           order by o.id desc limit 1), $2)) f
     where c.workspace_id = any($1::uuid[]) and c.enabled and l.failed = ${deliveries} order by c.workspace_id, c.id`,
    [workspaceIds, firstUuidAt(plus(at, -withinMs))],
  )
  return rows.map(({ workspace_id, id, kind, label, last_error, ...rest }) => ({
    workspaceId: workspace_id,
    channel: { id, kind, label },
    lastError: last_error,
    ...rest,
  }))
}

/** An item whose condition lasts, as far as it was looked. */
export interface LastingItem {
  workspaceId: Uuid
  id: Uuid
  kind: AttentionKind
  subjectId: Uuid
}

/** Every item of these workspaces whose condition lasts, dismissed ones among them. */
export function readLasting(reader: Reader, workspaceIds: readonly Uuid[]): Promise<LastingItem[]> {
  return reader.query<LastingItem>(sql`
    select workspace_id as "workspaceId", id, kind, subject_id as "subjectId" from attention_item
    where workspace_id = any(${workspaceIds}::uuid[]) and resolved_at is null order by workspace_id, id`)
}

export interface NewItem extends LastingItem {
  /** The data of its event, or what such an event would say. */
  data: Record<string, unknown>
}

export async function openItems(tx: Transaction, items: readonly NewItem[], at: Date): Promise<void> {
  if (items.length === 0) return
  await tx.query(sql`
    insert into attention_item (workspace_id, id, kind, subject_id, data, opened_at)
    select workspace_id, id, kind, subject_id, data, ${at}
    from unnest(${items.map((one) => one.workspaceId)}::uuid[], ${items.map((one) => one.id)}::uuid[],
      ${items.map((one) => one.kind)}::text[],
      ${items.map((one) => one.subjectId)}::uuid[], ${items.map((one) => JSON.stringify(one.data))}::json[]) as t
        (workspace_id, id, kind, subject_id, data)`)
}

/** Their conditions have ended. */
export async function resolveItems(tx: Transaction, items: readonly LastingItem[], at: Date): Promise<void> {
  if (items.length === 0) return
  await tx.query(sql`
    update attention_item i set resolved_at = ${at}
    from unnest(${items.map((one) => one.workspaceId)}::uuid[], ${items.map((one) => one.id)}::uuid[]) as t
      (workspace_id, id)
    where i.workspace_id = t.workspace_id and i.id = t.id and i.resolved_at is null`)
}

/** Only an open item is dismissed; any other stays as it is. */
export async function dismissItem(tx: Transaction, workspaceId: Uuid, id: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    update attention_item set dismissed_at = ${at} where workspace_id = ${workspaceId} and id = ${id}
      and resolved_at is null and dismissed_at is null`)
}

/** Which of these ids are items of the workspace. */
export async function knownItems(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  const rows = await tx.query<{ id: Uuid }>(
    sql`select id from attention_item where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Dismisses those open items that are named, or all of a kind; answers how many. */
export async function dismissItems(
  tx: Transaction,
  workspaceId: Uuid,
  which: { ids: readonly Uuid[] } | { kind: AttentionKind },
  at: Date,
): Promise<number> {
  const named = 'ids' in which ? sql`id = any(${which.ids}::uuid[])` : sql`kind = ${which.kind}`
  const dismissed = await tx.query(sql`
    update attention_item set dismissed_at = ${at} where workspace_id = ${workspaceId} and resolved_at is null
      and dismissed_at is null and id in (
      select id from attention_item where workspace_id = ${workspaceId} and resolved_at is null and dismissed_at is null
        and ${named} order by id for update)
    returning id`)
  return dismissed.length
}

/** Removes items whose condition ended long ago; answers how many. */
export function pruneAttention(db: Reader, at: Date): Promise<number> {
  return deleteInPortions(
    db,
    sql`delete from attention_item i using (
        select workspace_id, id from attention_item where resolved_at < ${plus(at, -ATTENTION_KEPT_MS)}
          limit ${PORTION}::int for update skip locked) old
      where i.workspace_id = old.workspace_id and i.id = old.id returning i.id`,
  )
}

interface KeywordRow {
  workspace_id: Uuid
  id: Uuid
  term: string
  kind: AttentionKeyword['kind']
  group_id: Uuid
  group_name: string
  is_default: boolean
}

const KEYWORD_COLUMNS = sql`k.workspace_id, k.id, k.term, k.kind, k.group_id, g.name as group_name, g.is_default`

function keywordFrom({ id, term, kind, group_id, group_name, is_default }: KeywordRow): AttentionKeyword {
  return { id, term, kind, groupId: group_id, groupName: group_name, inDefaultGroup: is_default }
}
