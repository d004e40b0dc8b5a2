import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { DAY_MS, dayOf, monthStart, plus } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { parameters } from '../given-rows.ts'
import { COUNTED_MS, keyColumns } from './keyword-counts.ts'

const COUNT_MATCHES_PARAMETERS = parameters(23)

/** What a batch adds to a keyword, and the state on which the batch was decided. */
export interface CountedKeyword {
  workspaceId: Uuid
  keywordId: Uuid
  added: number
  /** The first day of its counter's month. */
  month: string
  capOwn: number | null
  cap: number | null
  welcomeLimits: boolean
  pausedForCap: boolean
}

export interface CountedMatch {
  keywordId: Uuid
  platform: Platform
  publishedAt: Date
}

/**
 * Locks the counters. `keywords` must be unique and in lock order, and each match must belong to one. Returns the
 * month's matches by keyword, or null when a keyword's state differs from the one read: the caller must roll back.
 */
export async function countMatches(
  tx: Transaction,
  { keywords, matches }: { keywords: readonly CountedKeyword[]; matches: readonly CountedMatch[] },
  { at, metered }: { at: Date; metered: boolean },
): Promise<number[] | null> {
  const own = groupBy(matches, ({ keywordId }) => keywordId)
  const usage = keywords.flatMap((keyword) => usageOf(keyword, own.get(keyword.keywordId)!, at))
  const recent = keywords.flatMap((keyword) => daysOf(keyword, own.get(keyword.keywordId)!, at))
  const [row] = await tx.run<{ counts: number[] | null }>(
    'ingest-counts',
    `select count_matches(${COUNT_MATCHES_PARAMETERS}) as counts`,
    [
      dayOf(monthStart(at)),
      metered,
      ...keyColumns(keywords),
      columns.integers(keywords.map((keyword) => keyword.added)),
      columns.instants(keywords.map((keyword) => latestOf(own.get(keyword.keywordId)!))),
      columns.dates(keywords.map((keyword) => new Date(keyword.month))),
      columns.integers(keywords.map((keyword) => keyword.capOwn)),
      columns.integers(keywords.map((keyword) => keyword.cap)),
      columns.booleans(keywords.map((keyword) => keyword.welcomeLimits)),
      columns.booleans(keywords.map((keyword) => keyword.pausedForCap)),
      ...keyColumns(usage.map(({ keyword }) => keyword)),
      columns.dates(usage.map(({ day }) => day)),
      columns.smallints(usage.map(({ platform }) => platform)),
      columns.integers(usage.map(({ matched }) => matched)),
      ...keyColumns(recent.map(({ keyword }) => keyword)),
      columns.dates(recent.map(({ day }) => day)),
      ...[0, 1, 2, 3].map((quarter) => columns.integers(recent.map(({ quarters }) => quarters[quarter]!))),
    ],
  )
  return row!.counts
}

/** `matches` must not be empty. */
function latestOf(matches: readonly CountedMatch[]): Date {
  return new Date(Math.max(...matches.map(({ publishedAt }) => publishedAt.getTime())))
}

interface UsageRow {
  keyword: CountedKeyword
  day: Date
  platform: number
  matched: number
}

/** The counter's month may be ahead, by another machine's clock. */
function usageOf(keyword: CountedKeyword, matches: readonly CountedMatch[], at: Date): UsageRow[] {
  const month = new Date(keyword.month)
  const day = month > at ? month : at
  return [...groupBy(matches, (match) => platformNumber(match.platform))].map(([platform, { length: matched }]) => ({
    keyword,
    day,
    platform,
    matched,
  }))
}

interface RecentRow {
  keyword: CountedKeyword
  day: Date
  quarters: number[]
}

function daysOf(keyword: CountedKeyword, matches: readonly CountedMatch[], at: Date): RecentRow[] {
  const since = plus(at, -COUNTED_MS)
  const counted = matches.flatMap(({ publishedAt }) => (publishedAt >= since ? [publishedAt] : []))
  return [...groupBy(counted, (publishedAt) => Math.floor(publishedAt.getTime() / DAY_MS))].map(([, published]) => {
    const quarters = [0, 0, 0, 0]
    for (const each of published) quarters[Math.floor(each.getUTCHours() / 6)]! += 1
    return { keyword, day: published[0]!, quarters }
  })
}
