import type { Uuid } from '../../kernel/ids.ts'
import { keyColumns } from '../counts/keyword-counts.ts'
import type { Transaction } from '../database.ts'
import {
  UNSCORED_COMPANY,
  UNSCORED_KEYWORD_COLUMNS,
  type UnscoredKeyword,
  type UnscoredKeywordRow,
  unscoredKeyword,
} from '../model/unscored.ts'

export interface KeywordRef {
  workspaceId: Uuid
  keywordId: Uuid
}

export interface MatchCounter extends KeywordRef {
  /** The first day (UTC) of the counted month. */
  month: string
  monthMentions: number
  capOwn: number | null
  welcomeLimits: boolean
  muted: boolean
  pausedForCap: boolean
  /** The workspace's own period in days; null follows the installation. */
  mentionsKeptDays: number | null
  /** On its way to another cell. */
  frozen: boolean
  keyword: UnscoredKeyword
}

interface MatchCounterRow extends UnscoredKeywordRow {
  workspace_id: Uuid
  keyword_id: Uuid
  month: string
  month_mentions: number
  cap_own: number | null
  welcome_limits: boolean
  muted: boolean
  paused_for_cap: boolean
  mentions_kept_days: number | null
  frozen: boolean
}

export async function lockMatchCounters(
  tx: Transaction,
  keywords: readonly { workspaceId: Uuid; keywordId: Uuid }[],
): Promise<void> {
  await tx.run(
    'ingest-lock-counters',
    `select from (select workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
        order by 1, 2 offset 0) t
     cross join lateral (select from keyword_counter c where c.workspace_id = t.workspace_id
       and c.keyword_id = t.keyword_id offset 0 for no key update) c`,
    keyColumns(keywords),
  )
}

/** `offset 0` forces key lookups: the planner would read whole tables for a few hundred rows. */
export async function readMatchCounters(tx: Transaction, keywords: readonly KeywordRef[]): Promise<MatchCounter[]> {
  const rows = await tx.run<MatchCounterRow>(
    'ingest-read-counters',
    `select t.workspace_id, t.keyword_id, c.month, c.month_mentions, k.cap_own, w.welcome_limits, w.mentions_kept_days,
        k.muted, k.paused_for_cap, w.frozen, ${UNSCORED_KEYWORD_COLUMNS}
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, keyword_id)
     cross join lateral (select * from keyword_counter c where c.workspace_id = t.workspace_id
       and c.keyword_id = t.keyword_id offset 0) c
     cross join lateral (select * from keyword k where k.workspace_id = t.workspace_id
       and k.id = t.keyword_id offset 0) k
     cross join lateral (select * from keyword_group g where g.workspace_id = k.workspace_id
       and g.id = k.group_id offset 0) g
     cross join lateral (select * from workspace w where w.id = t.workspace_id offset 0) w
     ${UNSCORED_COMPANY}`,
    keyColumns(keywords),
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    keywordId: row.keyword_id,
    month: row.month,
    monthMentions: row.month_mentions,
    capOwn: row.cap_own,
    welcomeLimits: row.welcome_limits,
    muted: row.muted,
    pausedForCap: row.paused_for_cap,
    mentionsKeptDays: row.mentions_kept_days,
    frozen: row.frozen,
    keyword: unscoredKeyword(row),
  }))
}
