import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql } from '../database.ts'

/** The best of a platform's pages. */
export interface KeywordPolling {
  platform: Platform
  /** Sorts like the time. */
  lastPolledAt: string
  emptyPolls: number
}

/** Thousands of values: one text per keyword costs a fraction of as many rows. */
export async function readPolling(
  reader: Reader,
  workspaceId: Uuid,
  keywordIds: readonly Uuid[],
): Promise<Map<Uuid, KeywordPolling[]>> {
  const rows = await reader.query<{ keyword_id: Uuid; polls: string }>(sql`
    select keyword_id, string_agg(concat_ws(' ', platform, to_char(last_polled_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), empty_polls), ',') as polls
    from (
      select w.keyword_id, w.platform, max(q.last_polled_at) as last_polled_at, min(q.empty_polls) as empty_polls
      from keyword_query w join source_query q on q.platform = w.platform and q.key = w.key
      where w.workspace_id = ${workspaceId} and w.keyword_id = any(${keywordIds}::uuid[])
        and q.last_polled_at >= w.since group by w.keyword_id, w.platform) polled
    group by keyword_id`)
  return new Map(rows.map((row) => [row.keyword_id, row.polls.split(',').map(pollingFromText)]))
}

function pollingFromText(text: string): KeywordPolling {
  const [platform, lastPolledAt, emptyPolls] = text.split(' ') as [string, string, string]
  return { platform: platformFromNumber(Number(platform)), lastPolledAt, emptyPolls: Number(emptyPolls) }
}
