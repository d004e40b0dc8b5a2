import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import {
  countsOf,
  differences,
  type TeamJudgement,
  type Triage,
  type TriageActor,
} from '../../domain/mention/triage.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { countRelevance } from '../counts/keyword-counts.ts'
import { sql, type Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { GivenRows, given } from '../given-rows.ts'
import { noteAccountChanges } from '../person/account-changes.ts'
import type { Judged, TriagedMention } from './locked-mentions.ts'
import { recordChanges } from './mention-history.ts'

function sentimentNumber(sentiment: TeamJudgement['sentiment']): number | null {
  return sentiment && SENTIMENTS.indexOf(sentiment)
}

export interface Move {
  mention: TriagedMention
  after: Triage
}

const MOVES = new GivenRows<Move>({
  id: given.uuid(({ mention }) => mention.mentionId),
  status: given.smallint(({ after }) => MENTION_STATUSES.indexOf(after.status)),
  assignee_id: given.uuid(({ after }) => after.assigneeId),
  snoozed_until: given.instant(({ after }) => after.snoozedUntil),
  note: given.text(({ after }) => after.note),
  relevance: given.smallint(({ after }) => after.relevance),
  sentiment: given.smallint(({ after }) => sentimentNumber(after.sentiment)),
  marked_relevant: given.boolean(({ after }) => after.markedRelevant),
  marked_sentiment: given.smallint(({ after }) => sentimentNumber(after.markedSentiment)),
  marked_at: given.instant(({ after }) => after.markedAt),
  original_relevance: given.smallint(({ after }) => after.originalRelevance),
  original_sentiment: given.smallint(({ after }) => sentimentNumber(after.originalSentiment)),
})

export async function storeTriage(
  tx: Transaction,
  workspaceId: Uuid,
  moves: readonly Move[],
  actor: TriageActor,
  at: Date,
): Promise<void> {
  const lines = moves
    .map(({ mention, after }) => ({ mention, after, changes: differences(mention.triage, after) }))
    .filter(({ changes }) => changes.length > 0)
  if (lines.length === 0) return
  await tx.query(sql`
    update mention m set status = t.status, assignee_id = t.assignee_id, snoozed_until = t.snoozed_until,
      triage_note = t.note, relevance = t.relevance, sentiment = t.sentiment,
      feedback_relevant = t.marked_relevant, feedback_sentiment = t.marked_sentiment, feedback_at = t.marked_at,
        original_relevance = t.original_relevance,
      original_sentiment = t.original_sentiment
    from ${MOVES.of(lines)}
    where m.workspace_id = ${workspaceId} and m.id = t.id`)
  await markBlocksStale(
    tx,
    lines.map(({ mention }) => ({ workspaceId, mentionId: mention.mentionId })),
    at,
  )
  await recordChanges(
    tx,
    workspaceId,
    lines.map(({ mention, changes }) => ({ mentionId: mention.mentionId, changes })),
    actor,
    at,
  )
  await renewMarks(
    tx,
    workspaceId,
    lines
      .filter(({ changes }) => changes.some(({ field }) => field === 'relevant' || field === 'sentiment'))
      .map(({ mention }) => mention.keywordId),
  )
  await moveRelevance(
    tx,
    workspaceId,
    lines.map(({ mention, after }) => ({ ...mention, before: mention.triage, after })),
    at,
  )
}

/** Makes scorers reload the feedback. The caller holds the counters. */
async function renewMarks(tx: Transaction, workspaceId: Uuid, keywordIds: readonly Uuid[]): Promise<void> {
  if (keywordIds.length === 0) return
  await tx.query(sql`
    update keyword_counter set marks_version = marks_version + 1 where workspace_id = ${workspaceId}
      and keyword_id = any(${keywordIds}::uuid[])`)
}

export interface RelevanceMove extends Judged {
  before: TeamJudgement
  after: TeamJudgement
}

type Moved = RelevanceMove & { delta: ReturnType<typeof deltaOf> }

const DELTAS = new GivenRows<Moved>({
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  relevant: given.integer(({ delta }) => delta.relevant),
  marked: given.integer(({ delta }) => delta.markedRelevant),
  marked_not: given.integer(({ delta }) => delta.markedNotRelevant),
})
const SCORED = new GivenRows<Moved>({
  day: given.day(({ countedOn }) => countedOn),
  keyword_id: given.uuid(({ keywordId }) => keywordId),
  platform: given.smallint(({ platform }) => platformNumber(platform)),
  relevant: given.integer(({ delta }) => delta.relevant),
})

/** For changes other than a score; charges nothing. The caller holds the counters. */
export async function moveRelevance(
  tx: Transaction,
  workspaceId: Uuid,
  moves: readonly RelevanceMove[],
  at: Date,
): Promise<void> {
  const deltas = moves
    .map((move) => ({ ...move, delta: deltaOf(move) }))
    .filter(({ delta }) => Object.values(delta).some((count) => count !== 0))
  if (deltas.length === 0) return
  await tx.query(sql`
    update keyword_counter c set relevant = c.relevant + t.relevant, feedback_relevant = c.feedback_relevant + t.marked,
      feedback_not_relevant = c.feedback_not_relevant + t.marked_not
    from (select keyword_id, sum(relevant) as relevant, sum(marked) as marked, sum(marked_not) as marked_not
      from ${DELTAS.of(deltas)}
          group by keyword_id) t
    where c.workspace_id = ${workspaceId} and c.keyword_id = t.keyword_id`)
  // A failed score is not among a day's scored mentions.
  const scored = deltas.filter(({ failed, countedOn }) => !failed && countedOn !== null)
  await tx.query(sql`
    update usage_day u set relevant = u.relevant + t.relevant
    from (select day, keyword_id, platform, sum(relevant) as relevant
      from ${SCORED.of(scored)}
          group by 1, 2, 3) t
    where u.workspace_id = ${workspaceId} and u.day = t.day and u.keyword_id = t.keyword_id and u.platform = t.platform
      and t.relevant <> 0`)
  await countRelevance(
    tx,
    deltas.map(({ keywordId, createdAt, before, after }) => ({
      workspaceId,
      keywordId,
      createdAt,
      before: before.relevance,
      after: after.relevance,
    })),
    at,
  )
  await noteAccountChanges(
    tx,
    deltas.flatMap(({ accountId, delta }) => (accountId === null ? [] : [{ workspaceId, accountId, ...delta }])),
  )
}

function deltaOf({ before, after }: RelevanceMove): ReturnType<typeof countsOf> {
  const [was, is] = [countsOf(before), countsOf(after)]
  return {
    relevant: is.relevant - was.relevant,
    markedRelevant: is.markedRelevant - was.markedRelevant,
    markedNotRelevant: is.markedNotRelevant - was.markedNotRelevant,
    positive: is.positive - was.positive,
    neutral: is.neutral - was.neutral,
    negative: is.negative - was.negative,
  }
}
