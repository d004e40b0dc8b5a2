// What teams do with mentions. Whoever changes the score or the status of a mention holds the counter of its keyword,
// so with the counters held both stay as they are read.

import { SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import {
  type Actor,
  countsOf,
  differences,
  type FieldChange,
  type Judgement,
  type KnownActor,
  type Triage,
} from '../../domain/mention/triage.ts'
import { type Platform, platformFromNumber, platformNumber } from '../../domain/platform/platforms.ts'
import { dayOf } from '../../kernel/clock.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { countRelevance } from '../counts/keyword-counts.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { COUNTED_COLUMNS, noteAccountChanges, notingMentions } from '../person/people.ts'

/** A mention whose keyword's counter is held. */
export interface HeldMention {
  id: Uuid
  /** False while it waits for its score; a failed one counts as a score. */
  scored: boolean
}

/**
 * Holds the counters of the mentions' keywords until the transaction ends, and answers which of the mentions are there.
 */
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

/** A mention as triage finds it. */
export interface TriagedMention extends Judged {
  triage: Triage
}

/** What counts keep of a mention. */
export interface Judged {
  workspaceId: Uuid
  mentionId: Uuid
  keywordId: Uuid
  platform: Platform
  /** Null where no author can be told. */
  accountId: Uuid | null
  createdAt: Date
  publishedAt: Date
  /** Null while it waits for its score. */
  scoredAt: Date | null
  /** True when scoring failed: such a mention is not among those that a day counts as scored. */
  failed: boolean
  /** The day under which usage counts its score, as YYYY-MM-DD; null while it has none. */
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
 * The mentions, locked in the order of their ids until the transaction ends. Their counters are held already, and
 * places in the queue of deliveries that are to go are gone.
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

function sentimentFrom(number: number | null): Judgement['sentiment'] {
  return number === null ? null : SENTIMENTS[number]!
}

function sentimentNumber(sentiment: Judgement['sentiment']): number | null {
  return sentiment && SENTIMENTS.indexOf(sentiment)
}

/** A mention and what it becomes. */
export interface Move {
  mention: TriagedMention
  after: Triage
}

/** Writes what locked mentions become, with the lines of their history and everything that is counted of them. */
export async function storeTriage(
  tx: Transaction,
  workspaceId: Uuid,
  moves: readonly Move[],
  actor: Actor,
  at: Date,
): Promise<void> {
  const lines = moves
    .map(({ mention, after }) => ({ mention, after, changes: differences(mention.triage, after) }))
    .filter(({ changes }) => changes.length > 0)
  if (lines.length === 0) return
  const after = lines.map((line) => line.after)
  await tx.query(sql`
    update mention m set status = t.status, assignee_id = t.assignee_id, snoozed_until = t.snoozed_until,
      triage_note = t.note, relevance = t.relevance, sentiment = t.sentiment,
      feedback_relevant = t.marked_relevant, feedback_sentiment = t.marked_sentiment, feedback_at = t.marked_at,
        original_relevance = t.original_relevance,
      original_sentiment = t.original_sentiment
    from unnest(${lines.map(({ mention }) => mention.mentionId)}::uuid[],
      ${after.map((one) => MENTION_STATUSES.indexOf(one.status))}::smallint[],
      ${after.map((one) => one.assigneeId)}::uuid[], ${after.map((one) => one.snoozedUntil)}::timestamptz[],
        ${after.map((one) => one.note)}::text[],
      ${after.map((one) => one.relevance)}::smallint[],
        ${after.map((one) => sentimentNumber(one.sentiment))}::smallint[],
      ${after.map((one) => one.markedRelevant)}::boolean[],
        ${after.map((one) => sentimentNumber(one.markedSentiment))}::smallint[],
      ${after.map((one) => one.markedAt)}::timestamptz[], ${after.map((one) => one.originalRelevance)}::smallint[],
      ${after.map((one) => sentimentNumber(one.originalSentiment))}::smallint[])
      as t (id, status, assignee_id, snoozed_until, note, relevance, sentiment, marked_relevant, marked_sentiment,
        marked_at, original_relevance, original_sentiment)
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

/** Lets scorers read the marks of these keywords anew. The caller holds their counters. */
async function renewMarks(tx: Transaction, workspaceId: Uuid, keywordIds: readonly Uuid[]): Promise<void> {
  if (keywordIds.length === 0) return
  await tx.query(sql`
    update keyword_counter set marks_version = marks_version + 1 where workspace_id = ${workspaceId}
      and keyword_id = any(${keywordIds}::uuid[])`)
}

/** A mention whose judgement became another. */
export interface RelevanceMove extends Judged {
  before: Judgement
  after: Judgement
}

/**
 * Moves everything that is counted by how mentions are judged, other than by a score, in the caller's transaction: it
 * holds the counters of the keywords. Nothing is charged by it.
 */
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
      from unnest(${deltas.map((one) => one.keywordId)}::uuid[], ${deltas.map(({ delta }) => delta.relevant)}::int[],
        ${deltas.map(({ delta }) => delta.markedRelevant)}::int[],
        ${deltas.map(({ delta }) => delta.markedNotRelevant)}::int[]) as t (keyword_id, relevant, marked, marked_not)
          group by keyword_id) t
    where c.workspace_id = ${workspaceId} and c.keyword_id = t.keyword_id`)
  // A day counts as relevant some of those that it counts as scored, and a failed score is none.
  const scored = deltas.filter(({ failed, countedOn }) => !failed && countedOn !== null)
  await tx.query(sql`
    update usage_day u set relevant = u.relevant + t.relevant
    from (select day, keyword_id, platform, sum(relevant) as relevant
      from unnest(${scored.map((one) => one.countedOn)}::date[], ${scored.map((one) => one.keywordId)}::uuid[],
        ${scored.map((one) => platformNumber(one.platform))}::smallint[],
        ${scored.map(({ delta }) => delta.relevant)}::int[]) as t (day, keyword_id, platform, relevant)
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

/** Adds a line to the history of each mention, with the name that the actor has at this moment. */
async function recordChanges(
  tx: Transaction,
  workspaceId: Uuid,
  lines: readonly { mentionId: Uuid; changes: readonly FieldChange[] }[],
  actor: Actor,
  at: Date,
): Promise<void> {
  const [id, name] =
    actor.kind === 'slack' ? [null, sql`select ${actor.name}::text`] : [actor.id, selectName(workspaceId, actor)]
  await tx.query(sql`
    insert into mention_change (workspace_id, mention_id, id, changed_at, actor_kind, actor_id, actor_name, changes)
    select ${workspaceId}, t.mention_id, t.id, ${at}, ${actor.kind}, ${id}, coalesce((${name}), ''), t.changes
    from unnest(${lines.map((line) => line.mentionId)}::uuid[], ${lines.map(() => newUuid(at))}::uuid[],
      ${lines.map(({ changes }) => JSON.stringify(changes))}::jsonb[])
      as t (mention_id, id, changes)`)
}

/** The name that somebody has at this moment, of whom the credential is known. */
export function selectName(workspaceId: Uuid, { kind, id }: KnownActor): Statement<unknown> {
  return kind === 'api_key'
    ? sql`select name from api_key where workspace_id = ${workspaceId} and id = ${id}`
    : sql`select name from user_account where id = ${id}`
}

/**
 * Takes a failed score back, so that the mention is scored again: it is in the queue, and its day counts a failure
 * less.
 */
export async function takeBackFailure(tx: Transaction, mention: TriagedMention, actor: Actor, at: Date): Promise<void> {
  const { workspaceId, mentionId, keywordId, platform, countedOn } = mention
  // Its author is noted again with the score that is to come.
  await tx.run(
    'rescore-note',
    `with gone as (select ${COUNTED_COLUMNS} from mention m
        where m.workspace_id = $1 and m.id = $2) ${notingMentions('gone', 'go')}`,
    [workspaceId, mentionId],
  )
  await tx.query(sql`
    update mention set scored_at = null, failed = false, intents = null, counted_on = null
      where workspace_id = ${workspaceId} and id = ${mentionId}`)
  await tx.query(sql`
    update usage_day set failed = failed - 1
    where workspace_id = ${workspaceId} and day = ${countedOn}::date and keyword_id = ${keywordId}
      and platform = ${platformNumber(platform)}`)
  await queueForScore(tx, workspaceId, mentionId, at)
  await recordChanges(
    tx,
    workspaceId,
    [{ mentionId, changes: [{ field: 'rescored', from: false, to: true }] }],
    actor,
    at,
  )
}

async function queueForScore(tx: Transaction, workspaceId: Uuid, mentionId: Uuid, at: Date): Promise<void> {
  await tx.query(sql`
    insert into score_queue (workspace_id, mention_id, leased_until) values (${workspaceId}, ${mentionId}, ${at})
      on conflict (workspace_id, mention_id) do nothing`)
}

/** Everybody who has mentions to look after and does not belong to the workspace any more. */
export async function findLeftAssignees(reader: Reader, workspaceId: Uuid): Promise<Uuid[]> {
  // From one person to the next along the index: what is read grows with the people and not with their mentions.
  const next = (after: Statement<unknown>) =>
    sql`(select assignee_id from mention where workspace_id = ${workspaceId} and assignee_id is not null ${after}
        order by assignee_id limit 1)`
  const rows = await reader.query<{ user_id: Uuid }>(sql`
    with recursive assignee (user_id) as (
      select ${next(sql``)} union all select ${next(sql`and assignee_id >
          a.user_id`)} from assignee a
        where a.user_id is not null)
    select user_id from assignee a
    where user_id is not null and not exists (select from membership m where m.workspace_id = ${workspaceId}
      and m.user_id = a.user_id)`)
  return rows.map((row) => row.user_id)
}

/** Mentions that one person is taken off in one transaction. */
export const UNASSIGNED_AT_ONCE = 1000

/**
 * Takes somebody who does not belong to the workspace any more off the next of their mentions, in the order of ids:
 * nobody can be given a mention meanwhile who is no member. Answers which they were; none of somebody who has come
 * back.
 */
export async function unassign(
  tx: Transaction,
  workspaceId: Uuid,
  userId: Uuid,
  after: Uuid | null,
  actor: Actor,
  at: Date,
): Promise<Uuid[]> {
  const held = await tx.query<{ id: Uuid }>(sql`
    select id from mention where workspace_id = ${workspaceId} and assignee_id = ${userId} and (${after}::uuid is null
      or id > ${after}::uuid)
      and not exists (select from membership where workspace_id = ${workspaceId} and user_id = ${userId})
    order by id limit ${UNASSIGNED_AT_ONCE} for no key update of mention`)
  const ids = held.map((row) => row.id)
  if (ids.length === 0) return ids
  await tx.query(
    sql`update mention set assignee_id = null where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  const changes: FieldChange[] = [{ field: 'assignee', from: toId('user', userId), to: null }]
  await recordChanges(
    tx,
    workspaceId,
    ids.map((mentionId) => ({ mentionId, changes })),
    actor,
    at,
  )
  return ids
}
