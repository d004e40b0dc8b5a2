import type { DigestMode } from '../../domain/alert/mode.ts'
import { DIGEST_MAX, type Digest, type DigestPart, digestToSend } from '../../domain/delivery/digest.ts'
import { type DigestWindow, later, SCORE_WAIT_MAX_MS, SCORED_WITHIN_MS } from '../../domain/delivery/due-digest.ts'
import type { MentionFilter } from '../../domain/filter/fields.ts'
import { intentBits, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { platformFromNumber } from '../../domain/platform/platforms.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import { firstUuidAt, timeOfUuid, type Uuid } from '../../kernel/ids.ts'
import { type Statement, sql } from '../../store/database.ts'
import { filterCondition, notByAccounts } from '../../store/filter/filter-sql.ts'
import { priorityExpression } from '../../store/filter/priority-sql.ts'
import type { Mention } from '../mentions/mention-shape.ts'
import { readMentions } from '../mentions/read-mentions.ts'
import { EVERY_MENTION, type ResolvedSearch, resolveSearch } from '../mentions/search.ts'
import type { QueryContext } from '../reading.ts'

export type DigestReading = Pick<QueryContext, 'db' | 'workspaceId' | 'clock'>

export interface DigestRequest {
  mode: DigestMode
  timezone: string
  filter: MentionFilter
  window: DigestWindow
  /** Mentions near the window's beginning that earlier digests covered. */
  toldLast: readonly Uuid[]
  /** Least relevance of each digest; channel kinds differ in theirs. */
  floors: readonly number[]
  /** Mentions to report as counted or not. */
  among?: readonly Uuid[]
}

export interface DigestContents {
  /** By floor. */
  digests: Map<number, Digest<Mention>>
  /** Ids of `among` that a digest counts as relevant, by floor. */
  counted: Map<number, Uuid[]>
  /** Mentions scored in the last minutes, for the next digest's `toldLast`. */
  toldLast: Uuid[]
}

/**
 * The digests of a window's scored mentions that fit the filter, without closed mentions and muted people. One snapshot
 * serves all of them: what commits meanwhile belongs to the next window.
 */
export async function digestContents(reading: DigestReading, wish: DigestRequest): Promise<DigestContents> {
  const { db, workspaceId, clock } = reading
  const at = clock.now()
  const { minRelevance: _, ...filter } = wish.filter
  const search = await resolveSearch(reading, { ...EVERY_MENTION, filters: [filter] })
  if (isRefusal(search)) throw new Error('the filter of a rule refers to what is not there')
  const [row] = await db.query<Row>(contentsStatement(workspaceId, search, wish, at))
  const { sums, parts, counted, told_last: toldLast } = row!
  const wanted = [...new Set(parts.flatMap(({ ids }) => ids))]
  const mentions = await readMentions(
    db,
    wanted.map((mentionId) => ({ workspaceId, mentionId })),
    at,
  )
  const digests = wish.floors.map((floor): [number, Digest<Mention>] => {
    const shown = (part: DigestPart) =>
      (parts.find((item) => item.floor === floor && item.part === part)?.ids ?? []).flatMap(
        (id) => mentions.get(id) ?? [],
      )
    return [
      floor,
      digestToSend(
        digestOf(
          wish,
          sums.filter((sum) => sum.floor === floor),
          shown,
        ),
      ),
    ]
  })
  // In a short window earlier entries still matter.
  const before = plus(wish.window.from, SCORED_WITHIN_MS) > wish.window.to ? wish.toldLast : []
  return {
    digests: new Map(digests),
    counted: new Map(counted.map(({ floor, ids }) => [floor, ids])),
    toldLast: [...new Set([...before, ...toldLast])],
  }
}

/**
 * The match time of the oldest mention whose score digests up to `until` may not cover; failed scores may still arrive.
 */
export async function matchedSince(
  { db, workspaceId }: Pick<QueryContext, 'db' | 'workspaceId'>,
  matchedFrom: Date,
  until: Date,
): Promise<Date> {
  const settled = plus(until, -SCORED_WITHIN_MS)
  const earliest = later(matchedFrom, plus(until, -SCORE_WAIT_MAX_MS))
  const [row] = await db.query<{ id: Uuid }>(sql`
    select id from mention where workspace_id = ${workspaceId} and id >= ${firstUuidAt(earliest)}
      and id < ${firstUuidAt(settled)}
      and (scored_at is null or failed or scored_at >= ${settled}) order by id limit 1`)
  return row ? timeOfUuid(row.id) : settled
}

interface Sum {
  floor: number
  platform: number
  matched: number
  relevant: number
  positive: number
  neutral: number
  negative: number
  buy_intent: number
}

interface Row {
  sums: Sum[]
  parts: { floor: number; part: DigestPart; ids: Uuid[] }[]
  counted: { floor: number; ids: Uuid[] }[]
  told_last: Uuid[]
}

/**
 * All counts and shown ids of a digest. Scores are found by mention id, which starts with the match time: an index by
 * score time would disable PostgreSQL's HOT updates for every score.
 */
export function contentsStatement(
  workspaceId: Uuid,
  { filters, facts, hidden }: Pick<ResolvedSearch, 'filters' | 'facts' | 'hidden'>,
  {
    window: { to, scoredFrom, matchedFrom },
    toldLast,
    floors,
    among = [],
  }: Pick<DigestRequest, 'window' | 'toldLast' | 'floors' | 'among'>,
  at: Date,
): Statement<Row> {
  const sentiment = (name: (typeof SENTIMENTS)[number]) => sql`m.sentiment = ${SENTIMENTS.indexOf(name)}`
  const buyIntent = sql`(m.intents & ${intentBits(['buy_intent'])}) <> 0`
  const relevant = sql`m.relevance >= f.floor`
  const part = (name: DigestPart, condition: Statement<unknown>) => sql`
    select f.floor, ${name}::text as part, array(
      select m.id from told m where ${relevant} and ${condition} order by ${priorityExpression(at)} desc, m.id desc
        limit ${DIGEST_MAX[name]}) as ids from floors f`
  const parts = [part('top', sql`true`), part('negative', sentiment('negative')), part('buyingSignals', buyIntent)]
  return sql<Row>`
    with fitting as materialized (
      select m.id, m.platform, m.relevance, m.sentiment, m.intents, m.followers, m.published_at, m.scored_at
      from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
      where m.workspace_id = ${workspaceId} and m.id >= ${firstUuidAt(matchedFrom)}
        and m.id < ${firstUuidAt(plus(to, SCORED_WITHIN_MS))}
        and m.scored_at >= ${scoredFrom} and m.scored_at < ${to}
        and m.relevance is not null and m.status = ${MENTION_STATUSES.indexOf('open')}
        and ${sql.join(
          filters.map((filter) => filterCondition(filter, facts)),
          sql` and `,
        )} and ${hidden === null ? sql`true` : notByAccounts(hidden)}),
    told as materialized (select * from fitting where id <> all(${toldLast}::uuid[])),
    floors as (select floor from unnest(${floors}::float8[]) as t (floor)),
    sums as (
      select f.floor, m.platform, count(*) as matched, count(*) filter (where ${relevant}) as relevant,
        count(*) filter (where ${relevant} and ${sentiment('positive')}) as positive, count(*) filter (where ${relevant}
          and ${sentiment('neutral')}) as neutral,
        count(*) filter (where ${relevant} and ${sentiment('negative')}) as negative, count(*) filter (where ${relevant}
          and ${buyIntent}) as buy_intent
      from told m cross join floors f group by f.floor, m.platform),
    parts as (${sql.join(parts, sql` union all `)}),
    counted as (select f.floor, array(select m.id from told m where ${relevant} and m.id = any(${among}::uuid[])) as ids
      from floors f)
    select (select coalesce(jsonb_agg(sums), '[]') from sums) as sums, (select coalesce(jsonb_agg(parts), '[]')
      from parts) as parts,
      (select coalesce(jsonb_agg(counted), '[]') from counted) as counted,
      array(select id from fitting where scored_at >= ${plus(to, -SCORED_WITHIN_MS)}) as told_last`
}

function digestOf(
  { mode, timezone, window: { from, to } }: DigestRequest,
  sums: readonly Sum[],
  shown: (part: DigestPart) => Mention[],
): Digest<Mention> {
  const total = (name: Exclude<keyof Sum, 'floor' | 'platform'>) => sums.reduce((sum, item) => sum + item[name], 0)
  return {
    period: { mode, from: from.toISOString(), to: to.toISOString(), timezone },
    counts: {
      matched: total('matched'),
      relevant: total('relevant'),
      positive: total('positive'),
      neutral: total('neutral'),
      negative: total('negative'),
      buyIntent: total('buy_intent'),
    },
    platforms: [...sums]
      .sort((a, b) => b.matched - a.matched || a.platform - b.platform)
      .map(({ platform, matched, relevant }) => ({ platform: platformFromNumber(platform), matched, relevant })),
    top: shown('top'),
    negative: shown('negative'),
    buyingSignals: shown('buyingSignals'),
  }
}
