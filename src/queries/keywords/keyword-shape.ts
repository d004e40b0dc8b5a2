import { healthOf, isNoisy } from '../../domain/keyword/health.ts'
import { type Cap, capOf, type KeywordHealth, type KeywordKind, runsOn } from '../../domain/keyword/keyword.ts'
import { isWholeFeed } from '../../domain/keyword/queries.ts'
import type { Platform, ReviewPlatform, SearchPlatform } from '../../domain/platform/platforms.ts'
import { dayOf, monthStart } from '../../kernel/clock.ts'
import { type Id, toId, type Uuid } from '../../kernel/ids.ts'
import { toCents, units } from '../../kernel/money.ts'
import { type Recent, recentOf } from '../../store/counts/keyword-counts.ts'
import { type Reader, sql } from '../../store/database.ts'
import { type KeywordRow, keywordFromRow } from '../../store/keyword/keywords.ts'
import { readPolling } from '../../store/source/keyword-polling.ts'
import { readSourceStates } from '../../store/source/source-state.ts'
import type { GroupRef } from '../mentions/mention-shape.ts'
import { readTogether } from '../read-together.ts'

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
  reviewSources: {
    platform: ReviewPlatform
    id: string
    url: string
    countries: string[]
    language: string | null
    connectedAt: string
  }[]
  context: string | null
  matching: {
    requiredTerms: string[]
    requiredMode: 'any' | 'all'
    excludedTerms: string[]
    excludedAuthors: string[]
    caseSensitive: boolean
  }
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
  cost: {
    keywordDays: number
    keywordCents: number
    billableMentions: number
    mentionCents: number
    totalCents: number
  }
}

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
  cost_month: string | null
  month_billable: number
  month_units: number
  welcome_limits: boolean
}

/** The columns for `showKeywords`, of keyword `k`. */
export const KEYWORD_SELECT = sql`
  select k.*, g.name as group_name, g.external_id, g.is_default, c.mentions, c.relevant, c.last_mention_at, c.month,
    c.month_mentions, c.feedback_relevant, c.feedback_not_relevant,
    c.cost_month, c.month_billable, c.month_units, w.welcome_limits
  from keyword k
  join keyword_group g on g.workspace_id = k.workspace_id and g.id = k.group_id
  join keyword_counter c on c.workspace_id = k.workspace_id and c.keyword_id = k.id
  join workspace w on w.id = k.workspace_id`

/** Keywords without recent mentions are absent. */
export type RecentByKeyword = ReadonlyMap<Uuid, Recent>

export interface Showing {
  at: Date
  metered: boolean
  /** Preread counts of at least these keywords; else null. */
  recent: RecentByKeyword | null
}

/** In the order of the rows, with a fixed number of statements. */
export async function showKeywords(
  reader: Reader,
  workspaceId: Uuid,
  rows: readonly KeywordViewRow[],
  { at, metered, recent: known }: Showing,
): Promise<KeywordView[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const month = dayOf(monthStart(at))
  const [recent, charged, scheduled, polled] = await readTogether(reader, [
    async () => known ?? (await readRecent(reader, workspaceId, at, ids)),
    () => readChargedDays(reader, workspaceId, ids, month),
    () => readScheduled(reader),
    () => readPolling(reader, workspaceId, ids),
  ])
  return rows.map((row) => {
    const keyword = keywordFromRow(row)
    const createdAt = row.created_at.toISOString()
    const own = polled.get(row.id)
    return {
      id: toId('kw', row.id),
      term: row.term,
      kind: row.kind,
      muted: row.muted,
      pausedForBalance: row.paused_for_balance,
      pausedForNoise: row.paused_for_noise,
      pausedForCap: row.paused_for_cap,
      cap: capOf(row.cap_own, metered && row.welcome_limits),
      group: {
        id: toId('grp', row.group_id),
        name: row.group_name,
        externalId: row.external_id,
        isDefault: row.is_default,
      },
      platforms: row.platforms,
      reviewSources: keyword.reviewSources.map((source) => ({
        ...source,
        connectedAt: source.connectedAt.toISOString(),
      })),
      context: row.context,
      matching: keyword.matching,
      stats: statsOf(row, recent.get(row.id), charged.get(row.id), { at, month }),
      polling: scheduled
        .filter(({ platform }) => runsOn(keyword, platform))
        .map(({ platform, feed }) =>
          pollingOf(platform, feed ?? own?.find((item) => item.platform === platform), { muted: row.muted, createdAt }),
        ),
      createdAt,
    }
  })
}

interface Poll {
  /** Text compares like the time and saves parsing thousands of dates. */
  lastPolledAt: string | null
  emptyPolls: number
}

interface Scheduled {
  platform: Platform
  /** The last poll of a whole feed, shared by all keywords; null where each keyword is queried. */
  feed: Poll | null
}

async function readScheduled(reader: Reader): Promise<Scheduled[]> {
  const sources = (await readSourceStates(reader)).filter(({ scheduled }) => scheduled)
  return sources.map(({ source, lastPolledAt, emptyPolls }) => {
    const platform = source as Platform
    return {
      platform,
      feed: isWholeFeed(platform) ? { lastPolledAt: lastPolledAt?.toISOString() ?? null, emptyPolls } : null,
    }
  })
}

/** Polls during a mute or before the keyword existed do not count. */
function pollingOf(
  platform: Platform,
  poll: Poll | undefined,
  { muted, createdAt }: { muted: boolean; createdAt: string },
): KeywordView['polling'][number] {
  if (muted || !poll || poll.lastPolledAt === null || poll.lastPolledAt < createdAt)
    return { platform, lastPolledAt: null, emptyPolls: 0 }
  return { platform, lastPolledAt: poll.lastPolledAt, emptyPolls: poll.emptyPolls }
}

function statsOf(
  row: KeywordViewRow,
  recent: Recent | undefined,
  charged: ChargedDays | undefined,
  { at, month }: { at: Date; month: string },
): KeywordStats {
  const noise = { scored: recent?.scored ?? 0, relevant: recent?.relevant ?? 0 }
  const scoredThisMonth = row.cost_month === month
  const keywordUnits = units(charged?.units ?? 0)
  const mentionUnits = units(scoredThisMonth ? row.month_units : 0)
  const [keywordCents, mentionCents] = [toCents(keywordUnits), toCents(mentionUnits)]
  return {
    mentions: row.mentions,
    relevant: row.relevant,
    last7d: recent?.last7d ?? 0,
    thisMonth: row.month === month ? row.month_mentions : 0,
    lastMentionAt: row.last_mention_at?.toISOString() ?? null,
    feedback: { relevant: row.feedback_relevant, notRelevant: row.feedback_not_relevant },
    noise: { ...noise, noisy: isNoisy(noise) },
    health: healthOf(
      {
        muted: row.muted,
        pausedForCap: row.paused_for_cap,
        createdAt: row.created_at,
        judgedSince: row.judged_since,
        scored: recent?.judged_scored ?? 0,
        relevant: recent?.judged_relevant ?? 0,
      },
      at,
    ),
    cost: {
      keywordDays: charged?.days ?? 0,
      keywordCents,
      billableMentions: scoredThisMonth ? row.month_billable : 0,
      mentionCents,
      totalCents: keywordCents + mentionCents,
    },
  }
}

/** All keywords of the workspace when `ids` is null. */
export async function readRecent(
  reader: Reader,
  workspaceId: Uuid,
  at: Date,
  ids: readonly Uuid[] | null,
): Promise<RecentByKeyword> {
  return new Map((await reader.query(recentOf(workspaceId, at, ids))).map((recent) => [recent.keyword_id, recent]))
}

interface ChargedDays {
  keyword_id: Uuid
  days: number
  units: number
}

/** Charged days since the start of a month. */
async function readChargedDays(
  reader: Reader,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  month: string,
): Promise<Map<Uuid, ChargedDays>> {
  const rows = await reader.query<ChargedDays>(sql`
    select keyword_id, count(*) as days, sum(units)::bigint as units from keyword_day
    where workspace_id = ${workspaceId} and keyword_id = any(${ids}::uuid[]) and day >= ${month}::date
      group by keyword_id`)
  return new Map(rows.map((row) => [row.keyword_id, row]))
}
