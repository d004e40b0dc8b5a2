import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { DAY_MS, dayOf, monthStart, plus } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { parameters } from '../given-rows.ts'
import { COUNTED_MS, keyColumns } from './keyword-counts.ts'

const COUNT_MATCHES_PARAMETERS = parameters(23)

/** What a batch adds to a keyword, and what the keyword was read to be when that was decided. */
export interface CountedKeyword {
  workspaceId: Uuid
  keywordId: Uuid
  /** Matches, 1 or more. */
  added: number
  /** The first day of the month that its counter counts. */
  month: string
  capOwn: number | null
  /** The limit of a month that is in force. */
  cap: number | null
  welcomeLimits: boolean
  pausedForCap: boolean
}

/** A match that is made now. */
export interface CountedMatch {
  keywordId: Uuid
  platform: Platform
  publishedAt: Date
}

/**
 * Locks the counters of keywords and moves all that matches move: these counters, usage, and the counts of recent days.
 * `keywords` come in the order in which counters are locked, each once; every match is of one of them. Answers how many
 * matches each keyword has this month by now; null when what decided over the matches is not as it was read: then this
 * batch must not have happened.
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

/** When the latest post of one match or more was published. */
function latestOf(matches: readonly CountedMatch[]): Date {
  return new Date(Math.max(...matches.map(({ publishedAt }) => publishedAt.getTime())))
}

interface UsageRow {
  keyword: CountedKeyword
  day: Date
  platform: number
  matched: number
}

/**
 * A day of usage lies in the month that the counter counts, also where another machine has moved that to the next month
 * already.
 */
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
  /** Matches whose posts were published in each quarter of the day. */
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
