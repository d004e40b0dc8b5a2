import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import type { TeamJudgement, Triage } from '../../domain/mention/triage.ts'
import { type Platform, platformFromNumber } from '../../domain/platform/platforms.ts'
import { dayOf } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

export interface HeldMention {
  id: Uuid
  /** True also for a failed score. */
  scored: boolean
}

export async function holdCounters(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<HeldMention[]> {
  const keywords = await tx.query<{ keyword_id: Uuid }>(
    sql`select distinct keyword_id from mention where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  await tx.query(sql`
    select from keyword_counter where workspace_id = ${workspaceId}
      and keyword_id = any(${keywords.map((row) => row.keyword_id)}::uuid[])
    order by workspace_id, keyword_id for no key update`)
  return await tx.query<HeldMention>(sql`
    select id, scored_at is not null as scored from mention where workspace_id = ${workspaceId}
      and id = any(${ids}::uuid[])`)
}

export interface TriagedMention extends Judged {
  triage: Triage
}

export interface Judged {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  platform: Platform
  /** Null without a known author. */
  accountId: Uuid | null
  createdAt: Date
  publishedAt: Date
  scoredAt: Date | null
  /** Not among a day's scored mentions. */
  failed: boolean
  /** The usage day (YYYY-MM-DD) of the score. */
  countedOn: string | null
}

interface TriageRow {
  id: Uuid
  keyword_id: Uuid
  platform: number
  account_id: Uuid | null
  created_at: Date
  published_at: Date
  scored_at: Date | null
  failed: boolean
  counted_on: string | null
  status: number
  assignee_id: Uuid | null
  snoozed_until: Date | null
  triage_note: string | null
  relevance: number | null
  sentiment: number | null
  feedback_relevant: boolean | null
  feedback_sentiment: number | null
  feedback_at: Date | null
  original_relevance: number | null
  original_sentiment: number | null
}

/**
 * Locks the mentions in order of id. The caller holds their counters, and has removed queue entries of deliveries to
 * cancel.
 */
export async function lockMentions(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
  at: Date,
): Promise<TriagedMention[]> {
  const rows = await tx.query<TriageRow>(sql`
    select id, keyword_id, platform, account_id, created_at, published_at, scored_at, failed, counted_on, status,
      assignee_id, snoozed_until, triage_note, relevance, sentiment,
      feedback_relevant, feedback_sentiment, feedback_at, original_relevance, original_sentiment
    from mention where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id for no key update`)
  return rows.map((row) => fromRow(workspaceId, row, at))
}

function fromRow(workspaceId: Uuid, row: TriageRow, at: Date): TriagedMention {
  return {
    workspaceId,
    mentionId: row.id,
    keywordId: row.keyword_id,
    platform: platformFromNumber(row.platform),
    accountId: row.account_id,
    createdAt: row.created_at,
    publishedAt: row.published_at,
    scoredAt: row.scored_at,
    failed: row.failed,
    countedOn: row.counted_on ?? (row.scored_at && dayOf(row.scored_at)),
    triage: {
      status: MENTION_STATUSES[row.status]!,
      assigneeId: row.assignee_id,
      snoozedUntil: row.snoozed_until && row.snoozed_until > at ? row.snoozed_until : null,
      note: row.triage_note,
      relevance: row.relevance,
      sentiment: sentimentFrom(row.sentiment),
      markedRelevant: row.feedback_relevant,
      markedSentiment: sentimentFrom(row.feedback_sentiment),
      markedAt: row.feedback_at,
      originalRelevance: row.original_relevance,
      originalSentiment: sentimentFrom(row.original_sentiment),
    },
  }
}

function sentimentFrom(number: number | null): TeamJudgement['sentiment'] {
  return number === null ? null : SENTIMENTS[number]!
}
