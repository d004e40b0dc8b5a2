import { NOISE_RULE } from '../../../domain/keyword/keyword.ts'
import { type Platform, platformFromNumber } from '../../../domain/platform/platforms.ts'
import { DAY_MS, dayOf, plus } from '../../../kernel/clock.ts'
import { firstUuidAt, type Uuid } from '../../../kernel/ids.ts'
import { toCents, units } from '../../../kernel/money.ts'
import { type Reader, sql } from '../../../store/database.ts'
import { daysOf, type UsageWindow } from '../../usage/window.ts'

/**
 * Counters of a keyword within a window: matches by match day, scores by score day. Posts deleted by their platform
 * count only for the cost.
 */
export interface WindowCounts {
  matches: number
  scored: number
  relevant: number
  /** Matched in the window, unscored. */
  unscored: number
  byPlatform: { platform: Platform; matches: number; scored: number; relevant: number }[]
  weekly: { from: string; matches: number; relevant: number }[]
  cost: {
    keywordDays: number
    keywordCents: number
    billableMentions: number
    mentionCents: number
    totalCents: number
  }
}

interface UsageRow {
  day: string
  platform: number
  matched: number
  scored: number
  relevant: number
  billable: number
  mention_units: number
}

/** Without posts deleted by their platform; of usage row `u`. */
const PRESENT = sql`u.matched - u.gone_matched as matched, u.scored - u.gone_scored as scored,
    u.relevant - u.gone_relevant as relevant`

/** Reads one counter row per day and platform at most. */
export async function readWindowCounts(
  reader: Reader,
  workspaceId: Uuid,
  keywordId: Uuid,
  window: UsageWindow,
): Promise<WindowCounts> {
  const rows = await reader.query<UsageRow>(sql`
    select day::text as day, platform, ${PRESENT}, billable, mention_units from usage_day u
    where workspace_id = ${workspaceId} and keyword_id = ${keywordId} and day between ${window.from}::date
      and ${window.to}::date`)
  const [charged] = await reader.query<{ days: number; units: number }>(sql`
    select count(*) as days, coalesce(sum(units), 0)::bigint as units from keyword_day
    where workspace_id = ${workspaceId} and keyword_id = ${keywordId} and day between ${window.from}::date
      and ${window.to}::date`)
  const keywordCents = toCents(units(charged!.units))
  const mentionCents = toCents(units(sum(rows, 'mention_units')))
  return {
    matches: sum(rows, 'matched'),
    scored: sum(rows, 'scored'),
    relevant: sum(rows, 'relevant'),
    unscored: await countUnscored(reader, workspaceId, keywordId, window),
    byPlatform: byPlatform(rows),
    weekly: weekly(rows, window),
    cost: {
      keywordDays: charged!.days,
      keywordCents,
      billableMentions: sum(rows, 'billable'),
      mentionCents,
      totalCents: keywordCents + mentionCents,
    },
  }
}

/** Reads the short queue instead of the mentions. */
async function countUnscored(reader: Reader, workspaceId: Uuid, keywordId: Uuid, window: UsageWindow): Promise<number> {
  const { start, end } = instantsOf(window)
  const [row] = await reader.query<{ unscored: number }>(sql`
    select count(*) as unscored from score_queue q join mention m on m.workspace_id = q.workspace_id
      and m.id = q.mention_id
    where q.workspace_id = ${workspaceId} and q.mention_id >= ${firstUuidAt(start)}
      and q.mention_id < ${firstUuidAt(end)} and m.keyword_id = ${keywordId} and m.scored_at is null`)
  return row!.unscored
}

/** `start` is included, `end` is not. */
export function instantsOf({ from, to }: Pick<UsageWindow, 'from' | 'to'>): { start: Date; end: Date } {
  return { start: new Date(`${from}T00:00:00Z`), end: plus(new Date(`${to}T00:00:00Z`), DAY_MS) }
}

function byPlatform(rows: readonly UsageRow[]): WindowCounts['byPlatform'] {
  return [...new Set(rows.map((row) => row.platform))]
    .map((number) => {
      const own = rows.filter(({ platform }) => platform === number)
      return {
        platform: platformFromNumber(number),
        matches: sum(own, 'matched'),
        scored: sum(own, 'scored'),
        relevant: sum(own, 'relevant'),
      }
    })
    .filter(({ matches, scored }) => matches + scored > 0)
    .sort((a, b) => b.matches - a.matches || b.scored - a.scored || (a.platform < b.platform ? -1 : 1))
}

const WEEK = 7

/** Weeks ending today, oldest first; the oldest may be shorter. */
function weekly(rows: readonly UsageRow[], window: UsageWindow): WindowCounts['weekly'] {
  const days = daysOf(window)
  const weeks: WindowCounts['weekly'] = []
  for (let end = days.length; end > 0; end -= WEEK) {
    const [from, to] = [days[Math.max(0, end - WEEK)]!, days[end - 1]!]
    const own = rows.filter(({ day }) => day >= from && day <= to)
    weeks.unshift({ from, matches: sum(own, 'matched'), relevant: sum(own, 'relevant') })
  }
  return weeks
}

function sum(rows: readonly UsageRow[], name: Exclude<keyof UsageRow, 'day'>): number {
  return rows.reduce((total, row) => total + row[name], 0)
}

/** Of all present keywords of the workspace. */
export interface WorkspaceCounts {
  matches: number
  scored: number
  relevant: number
}

export async function readWorkspaceCounts(
  reader: Reader,
  workspaceId: Uuid,
  window: UsageWindow,
): Promise<WorkspaceCounts> {
  const [row] = await reader.query<WorkspaceCounts>(sql`
    select coalesce(sum(matched), 0)::bigint as matches, coalesce(sum(scored), 0)::bigint as scored,
      coalesce(sum(relevant), 0)::bigint as relevant
    from (
      select ${PRESENT} from keyword k join usage_day u on u.workspace_id = k.workspace_id and u.keyword_id = k.id
      where k.workspace_id = ${workspaceId} and u.workspace_id = ${workspaceId} and u.day between ${window.from}::date
        and ${window.to}::date) present`)
  return row!
}

/**
 * Scored matches since the last change of a keyword within the window. Exact for the last two weeks; an older change
 * counts from the end of its day.
 */
export async function readJudged(
  reader: Reader,
  workspaceId: Uuid,
  keyword: { id: Uuid; judgedSince: Date },
  window: UsageWindow,
  at: Date,
): Promise<{ scored: number; relevant: number }> {
  const recent = keyword.judgedSince >= plus(at, -NOISE_RULE.windowDays * DAY_MS)
  const [row] = await reader.query<{ scored: number; relevant: number }>(
    recent
      ? sql`select coalesce(sum(judged_scored), 0)::bigint as scored, coalesce(sum(judged_relevant),
          0)::bigint as relevant from keyword_recent
          where workspace_id = ${workspaceId} and keyword_id = ${keyword.id} and day >= ${window.from}::date`
      : sql`select coalesce(sum(scored), 0)::bigint as scored, coalesce(sum(relevant), 0)::bigint as relevant from (
            select ${PRESENT} from usage_day u where workspace_id = ${workspaceId} and keyword_id = ${keyword.id}
              and day > ${dayOf(keyword.judgedSince)}::date and day <= ${window.to}::date) present`,
  )
  return row!
}
