import { healthOf, isNoisy } from '../../domain/keyword/health.ts'
import { type Cap, capOf, type KeywordHealth, type KeywordKind, NOISE_RULE, runsOn } from '../../domain/keyword/keyword.ts'
import { isWholeFeed } from '../../domain/keyword/queries.ts'
import type { Platform, ReviewPlatform, SearchPlatform } from '../../domain/post/platform.ts'
import { DAY_MS, dayOf, monthStart, plus } from '../../kernel/clock.ts'
import { firstUuidAt, type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { toCents, units } from '../../kernel/money.ts'
import { type Reader, sql } from '../../store/database.ts'
import { type KeywordRow, keywordFromRow } from '../../store/keywords.ts'
import { type KeywordPolling, readPolling } from '../../store/source-queries.ts'
import { readSourceStates, type SourceState } from '../../store/source-state.ts'
import type { GroupRef } from '../mentions/mention-shape.ts'

/** A keyword as callers see it. Every key is always there. */
export interface KeywordView {
  id: Id<'kw'>
  term: string
  kind: KeywordKind
  muted: boolean
  pausedForBalance: boolean
  pausedForNoise: boolean
  pausedForCap: boolean
  cap: Cap | null
  group: GroupRef
  platforms: SearchPlatform[] | null
  reviewSources: { platform: ReviewPlatform; id: string; url: string; countries: string[]; language: string | null; connectedAt: string }[]
  context: string | null
  matching: { requiredTerms: string[]; requiredMode: 'any' | 'all'; excludedTerms: string[]; excludedAuthors: string[]; caseSensitive: boolean }
  stats: KeywordStats
  polling: { platform: Platform; lastPolledAt: string | null; emptyPolls: number }[]
  createdAt: string
}

export interface KeywordStats {
  mentions: number
  relevant: number
  last7d: number
  thisMonth: number
  lastMentionAt: string | null
  feedback: { relevant: number; notRelevant: number }
  noise: { scored: number; relevant: number; noisy: boolean }
  health: KeywordHealth
  cost: { keywordDays: number; keywordCents: number; billableMentions: number; mentionCents: number; totalCents: number }
}

/** A keyword's row with its group, its counters and the limits of its workspace. */
export interface KeywordViewRow extends KeywordRow {
  group_name: string
  external_id: string | null
  is_default: boolean
  mentions: number
  relevant: number
  last_mention_at: Date | null
  month: string
  month_mentions: number
  feedback_relevant: number
  feedback_not_relevant: number
  welcome_limits: boolean
}

/** What `showKeywords` needs, of keyword `k`; conditions and order are the caller's. */
export const KEYWORD_SELECT = sql`
  select k.*, g.name as group_name, g.external_id, g.is_default, c.mentions, c.relevant, c.last_mention_at, c.month, c.month_mentions, c.feedback_relevant, c.feedback_not_relevant,
    w.welcome_limits
  from keyword k
  join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
  join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
  join workspace w on w.id = k.workspace_id`

/** Keywords of one workspace in the form that callers see, in the order of the rows: a few statements, however many. */
export async function showKeywords(
  reader: Reader,
  workspaceId: Uuid,
  rows: readonly KeywordViewRow[],
  { at, metered }: { at: Date; metered: boolean },
): Promise<KeywordView[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [recent, usage, sources, polling] = [
    await readRecent(reader, workspaceId, ids, at),
    await readUsage(reader, workspaceId, ids, at),
    await readSourceStates(reader),
    new Map((await readPolling(reader, workspaceId, ids)).map((one) => [`${one.keywordId} ${one.platform}`, one])),
  ]
  return rows.map((row) => {
    const keyword = keywordFromRow(row)
    return {
      id: toId('kw', row.id),
      term: row.term,
      kind: row.kind,
      muted: row.muted,
      pausedForBalance: row.paused_for_balance,
      pausedForNoise: row.paused_for_noise,
      pausedForCap: row.paused_for_cap,
      cap: capOf(row.cap_own, metered && row.welcome_limits),
      group: { id: toId('grp', row.group_id), name: row.group_name, externalId: row.external_id, isDefault: row.is_default },
      platforms: row.platforms,
      reviewSources: keyword.reviewSources.map((source) => ({ ...source, connectedAt: source.connectedAt.toISOString() })),
      context: row.context,
      matching: keyword.matching,
      stats: statsOf(row, recent.get(row.id), usage.get(row.id), at),
      polling: sources
        .filter((source) => source.scheduled && runsOn(keyword, source.source as Platform))
        .map((source) => pollingOf(row, source, polling.get(`${row.id} ${source.source}`))),
      createdAt: row.created_at.toISOString(),
    }
  })
}

/**
 * A poll says something of a keyword only when it looked for it: not while the keyword is muted, nor before it was made. A
 * platform whose whole feed is read for everybody says when that was; any other, when it was asked for this keyword.
 */
function pollingOf({ muted, created_at }: KeywordViewRow, source: SourceState, own: KeywordPolling | undefined): KeywordView['polling'][number] {
  const platform = source.source as Platform
  const { lastPolledAt, emptyPolls } = isWholeFeed(platform) ? source : (own ?? { lastPolledAt: null, emptyPolls: 0 })
  if (muted || lastPolledAt === null || lastPolledAt < created_at) return { platform, lastPolledAt: null, emptyPolls: 0 }
  return { platform, lastPolledAt: lastPolledAt.toISOString(), emptyPolls }
}

function statsOf(row: KeywordViewRow, recent: RecentRow | undefined, usage: UsageRow | undefined, at: Date): KeywordStats {
  const noise = { scored: usage?.noise_scored ?? 0, relevant: usage?.noise_relevant ?? 0 }
  const keywordUnits = units(usage?.keyword_units ?? 0)
  const mentionUnits = units(usage?.mention_units ?? 0)
  const [keywordCents, mentionCents] = [toCents(keywordUnits), toCents(mentionUnits)]
  return {
    mentions: row.mentions,
    relevant: row.relevant,
    last7d: recent?.last7d ?? 0,
    thisMonth: row.month === dayOf(monthStart(at)) ? row.month_mentions : 0,
    lastMentionAt: row.last_mention_at?.toISOString() ?? null,
    feedback: { relevant: row.feedback_relevant, notRelevant: row.feedback_not_relevant },
    noise: { ...noise, noisy: isNoisy(noise) },
    health: healthOf(
      {
        muted: row.muted,
        pausedForCap: row.paused_for_cap,
        createdAt: row.created_at,
        judgedSince: row.judged_since,
        scored: recent?.scored ?? 0,
        relevant: recent?.relevant ?? 0,
      },
      at,
    ),
    cost: {
      keywordDays: usage?.keyword_days ?? 0,
      keywordCents,
      billableMentions: usage?.billable ?? 0,
      mentionCents,
      totalCents: keywordCents + mentionCents,
    },
  }
}

interface RecentRow {
  keyword_id: Uuid
  last7d: number
  scored: number
  relevant: number
}

/** Counts over the matches of the last 14 days, which the time-ordered ids bound. */
async function readRecent(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[], at: Date): Promise<Map<Uuid, RecentRow>> {
  const since = plus(at, -NOISE_RULE.windowDays * DAY_MS)
  const rows = await reader.query<RecentRow>(sql`
    select m.keyword_id, count(*) filter (where m.published_at >= ${plus(at, -7 * DAY_MS)}) as last7d,
      count(*) filter (where m.relevance is not null and m.created_at >= k.judged_since) as scored,
      count(*) filter (where m.relevance >= 40 and m.created_at >= k.judged_since) as relevant
    from mention m join keyword k on k.workspace_id = m.workspace_id and k.id = m.keyword_id
    where m.workspace_id = ${workspaceId} and m.id >= ${firstUuidAt(since)} and m.keyword_id = any(${ids}::uuid[])
    group by m.keyword_id`)
  return new Map(rows.map((row) => [row.keyword_id, row]))
}

interface UsageRow {
  keyword_id: Uuid
  noise_scored: number
  noise_relevant: number
  billable: number
  mention_units: number
  keyword_days: number
  keyword_units: number
}

/** Counts by day: the noise of 14 days, and what this month cost. */
async function readUsage(reader: Reader, workspaceId: Uuid, ids: readonly Uuid[], at: Date): Promise<Map<Uuid, UsageRow>> {
  const month = dayOf(monthStart(at))
  const noiseSince = dayOf(plus(at, -(NOISE_RULE.windowDays - 1) * DAY_MS))
  const rows = await reader.query<UsageRow>(sql`
    select w.id as keyword_id, coalesce(u.noise_scored, 0)::bigint as noise_scored, coalesce(u.noise_relevant, 0)::bigint as noise_relevant, coalesce(u.billable, 0)::bigint as billable,
      coalesce(u.mention_units, 0)::bigint as mention_units, coalesce(d.days, 0)::bigint as keyword_days, coalesce(d.units, 0)::bigint as keyword_units
    from unnest(${ids}::uuid[]) as w (id)
    left join (
      select keyword_id, sum(scored) filter (where day >= ${noiseSince}::date) as noise_scored, sum(relevant) filter (where day >= ${noiseSince}::date) as noise_relevant,
        sum(billable) filter (where day >= ${month}::date) as billable, sum(mention_units) filter (where day >= ${month}::date) as mention_units
      from usage_day where workspace_id = ${workspaceId} and keyword_id = any(${ids}::uuid[]) and day >= least(${noiseSince}::date, ${month}::date) group by keyword_id) u on u.keyword_id = w.id
    left join (
      select keyword_id, count(*) as days, sum(units) as units from keyword_day
      where workspace_id = ${workspaceId} and keyword_id = any(${ids}::uuid[]) and day >= ${month}::date group by keyword_id) d on d.keyword_id = w.id`)
  return new Map(rows.map((row) => [row.keyword_id, row]))
}
