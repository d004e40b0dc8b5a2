// Long because the statements of one transaction stand together, in the order in which they lock.

import { intentBits, isRelevant, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { accountIdOf } from '../../domain/person/account.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import { MENTION } from '../../domain/wallet/prices.ts'
import { dayOf } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { countRelevance, keyColumns } from '../counts/keyword-counts.ts'
import type { Transaction } from '../database.ts'
import { throughIndexes } from '../delivery/outbox.ts'
import { type Delivering, deliverToRules, type NewDelivery } from '../delivery/rule-deliveries.ts'
import { readRules, wishesOf } from '../delivery/rule-wishes.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { brakeNoise } from '../keyword/noise-brake.ts'
import type { EarlyTriage, Score, ScoredPerson } from '../model/score.ts'
import { COUNTED_COLUMNS, notingMentions, readKnownPeople } from '../person/people.ts'
import { tellFollowers } from './mention-followers.ts'

export interface ScoringOptions extends Delivering {
  /** Whether scored mentions are charged. */
  metered: boolean
  /** No more deliveries are made at once, unless one mention alone makes more; 10,000 unless told otherwise. */
  deliveriesMax?: number
}

/** What became of scores. */
export interface Recorded {
  /** Those that were written down; the others had a score already, or their mention is gone. */
  written: Score[]
  /** In the order of the scores they follow from. */
  deliveries: NewDelivery[]
  /** Those that were not looked at, because enough follows from the ones before them: for further transactions. */
  left: Score[]
}

/**
 * A batch of one workspace with many rules and channels would otherwise be millions of deliveries in one transaction.
 */
const DELIVERIES_MAX = 10_000

/**
 * Writes scores down with everything that follows from them, in the caller's transaction: the charge, the counters, and
 * the deliveries of instant rules that want the mention. A mention that has a score already keeps it and nothing
 * follows, so doing it twice charges and sends once. Of many scores that make very many deliveries the first are
 * written down, at least one, and the others are answered as left.
 */
export async function recordScores(
  tx: Transaction,
  scores: readonly Score[],
  options: ScoringOptions,
): Promise<Recorded> {
  const once = [...new Map(scores.map((score) => [score.mention.mentionId, score])).values()]
  const [, known, rules] = await Promise.all([throughIndexes(tx), withPeople(tx, once), readRules(tx, once)])
  const wishes = wishesOf(rules, known, options.deliveriesMax ?? DELIVERIES_MAX)
  const [taken, left] = [known.slice(0, wishes.taken), once.slice(wishes.taken)]
  const [, written] = await Promise.all([lockCounters(tx, taken), writeVerdicts(tx, taken, options.at)])
  if (written.length === 0) return { written, deliveries: [], left }
  const mentions = written.map(({ mention }) => mention)
  await Promise.all([
    markBlocksStale(tx, mentions, options.at),
    charge(tx, written, options),
    tellFollowers(tx, mentions, options.at),
    countScores(tx, written, options),
  ])
  return { written, deliveries: await deliverToRules(tx, written, wishes, options), left }
}

/** The scores with what the workspaces have made of the authors. */
async function withPeople(tx: Transaction, scores: readonly Score[]): Promise<Score[]> {
  const accounts = scores.map(({ mention: { workspaceId, post } }) => ({
    workspaceId,
    accountId: accountIdOf(workspaceId, post.platform, post.author),
  }))
  const people = await readKnownPeople(
    tx,
    accounts.flatMap(({ workspaceId, accountId }) => (accountId === null ? [] : [{ workspaceId, accountId }])),
  )
  return scores.map((score, at) => {
    const { accountId } = accounts[at]!
    const person = accountId === null ? undefined : people.get(accountId)
    return person === undefined ? score : { ...score, person }
  })
}

/**
 * Everything that touches a keyword and its mentions locks the counter first, in one order, and the mentions by their
 * ids.
 */
async function lockCounters(tx: Transaction, scores: readonly Score[]): Promise<void> {
  await tx.run(
    'score-lock-counters',
    `select from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id,
        keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id) order by c.workspace_id, c.keyword_id for update of c`,
    keyColumns(scores.map(({ mention }) => mention)),
  )
}

interface WrittenRow extends EarlyTriage {
  id: Uuid
  status: number
  /** The person behind the author when they are muted by now. */
  muted: ScoredPerson | null
}

/**
 * Answers what was really written, each with the status that the mention has by now and what the team has done with it,
 * and with its author. Who is muted while the counters are waited for is found here; muting waits for them too, and
 * later finds the deliveries to cancel.
 */
async function writeVerdicts(tx: Transaction, scores: readonly Score[], at: Date): Promise<Score[]> {
  const sorted = [...scores].sort((a, b) => (a.mention.mentionId < b.mention.mentionId ? -1 : 1))
  const verdicts = sorted.map(({ verdict }) => verdict)
  const written = await tx.run<WrittenRow>(
    'score-mentions',
    `with t as materialized (
       select * from unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::smallint[], $6::smallint[], $7::int[],
         $8::boolean[], $9::text[], $10::float8[], $11::text[])
         as t (workspace_id, id, failed, relevance, sentiment, intents, automated, language, confidence, note)),
     done as (delete from score_queue q using t where q.workspace_id = t.workspace_id and q.mention_id = t.id),
     scored as (
     update mention m set scored_at = $1, failed = t.failed, relevance = t.relevance, sentiment = t.sentiment,
       intents = t.intents, automated = t.automated, language = t.language,
       confidence = t.confidence, note = t.note, counted_on = (select w.settled_through + 1 from workspace w
         where w.id = m.workspace_id and w.settled_through >= $12::date)
     from t where m.workspace_id = t.workspace_id and m.id = t.id and m.scored_at is null
     returning ${COUNTED_COLUMNS}, m.status, m.snoozed_until as "snoozedUntil", m.triage_note,
       case when m.assignee_id is not null then (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
         from user_account u where u.id = m.assignee_id) end as assignee,
       (select jsonb_build_object('id', p.id, 'tags', p.tags, 'muted', true) from account a
         join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
         where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted) as muted),
     noted as (${notingMentions('scored', 'come')})
     select id, status, "snoozedUntil", triage_note as note, assignee, muted from scored`,
    [
      at,
      columns.uuids(sorted.map(({ mention }) => mention.workspaceId)),
      columns.uuids(sorted.map(({ mention }) => mention.mentionId)),
      columns.booleans(verdicts.map((verdict) => verdict === null)),
      columns.smallints(verdicts.map((verdict) => verdict?.relevance ?? null)),
      columns.smallints(verdicts.map((verdict) => (verdict ? SENTIMENTS.indexOf(verdict.sentiment) : null))),
      columns.integers(verdicts.map((verdict) => (verdict ? intentBits(verdict.intents) : 0))),
      columns.booleans(verdicts.map((verdict) => verdict?.automated ?? null)),
      columns.texts(verdicts.map((verdict) => verdict?.language ?? null)),
      columns.doubles(verdicts.map((verdict) => verdict?.confidence ?? null)),
      columns.texts(verdicts.map((verdict) => verdict?.note ?? null)),
      dayOf(at),
    ],
  )
  const rows = new Map(written.map((row) => [row.id, row]))
  return scores.flatMap((score) => {
    const row = rows.get(score.mention.mentionId)
    return row ? [asWritten(score, row)] : []
  })
}

/** Nearly always the score as it came. */
function asWritten(score: Score, { status: number, assignee, snoozedUntil, note, muted }: WrittenRow): Score {
  const status = MENTION_STATUSES[number]!
  const known = muted === null ? score : { ...score, person: muted }
  const current = status === known.mention.status ? known : { ...known, mention: { ...known.mention, status } }
  return assignee || snoozedUntil || note !== null ? { ...current, triage: { assignee, snoozedUntil, note } } : current
}

/**
 * Counts what was scored on this day; a failed score is never charged, nor is what is free. A score that comes when its
 * day is settled already, which happens to one that was begun just before, counts for the first day that is not, and
 * its mention says so, for who marks it later. The counters are locked by now and settling locks them too, so the day
 * is settled either before or with these. Where something is charged a note is left for whoever watches the wallets.
 */
async function charge(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const rows = scores.map(({ mention, verdict }) => ({
    workspace_id: mention.workspaceId,
    keyword_id: mention.keywordId,
    scored: verdict !== null,
    billable: verdict !== null && !mention.free,
    relevant: isRelevant(verdict?.relevance ?? null),
  }))
  const values = [
    columns.uuids(rows.map((row) => row.workspace_id)),
    columns.uuids(rows.map((row) => row.keyword_id)),
    columns.smallints(scores.map(({ mention }) => platformNumber(mention.post.platform))),
    columns.booleans(rows.map((row) => row.scored)),
    columns.booleans(rows.map((row) => row.relevant)),
    columns.booleans(rows.map((row) => row.billable)),
  ]
  const counting = tx.run(
    'score-counters',
    `update keyword_counter c set relevant = c.relevant + t.relevant, cost_month = greatest(c.cost_month, t.month),
       month_billable = case when c.cost_month > t.month then c.month_billable when c.cost_month = t.month then
         c.month_billable + t.billable else t.billable end,
       month_units = case when c.cost_month > t.month then c.month_units when c.cost_month = t.month then c.month_units
         + t.billable * $6::bigint else t.billable * $6::bigint end
     from (select t.workspace_id, keyword_id, date_trunc('month', greatest($5::date, w.settled_through + 1))::date as
       month, count(*) filter (where relevant) as relevant,
         count(*) filter (where billable) as billable
       from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[]) as t (workspace_id, keyword_id, relevant,
         billable) join workspace w on w.id = t.workspace_id
       group by t.workspace_id, keyword_id, w.settled_through order by 1, 2) t
     where c.workspace_id = t.workspace_id and c.keyword_id = t.keyword_id and (t.relevant > 0 or t.billable > 0)`,
    [values[0], values[1], values[4], values[5], dayOf(at), metered ? MENTION : 0],
  )
  const using = tx.run(
    'score-usage',
    `with t as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::boolean[],
         $6::boolean[]) as t (workspace_id, keyword_id, platform, scored, relevant, billable)),
     spent as (insert into wallet_spent (workspace_id) select distinct workspace_id from t
       where billable and $8::bigint > 0)
     insert into usage_day as u (workspace_id, day, keyword_id, platform, scored, relevant, billable, failed,
       mention_units)
     select t.workspace_id, greatest($7::date, w.settled_through + 1), keyword_id, platform,
       count(*) filter (where scored), count(*) filter (where relevant),
       count(*) filter (where billable), count(*) filter (where not scored), count(*) filter (where billable) *
         $8::bigint
     from t join workspace w on w.id = t.workspace_id
     group by t.workspace_id, w.settled_through, keyword_id, platform order by t.workspace_id, keyword_id, platform
     on conflict (workspace_id, day, keyword_id, platform) do update
       set scored = u.scored + excluded.scored, relevant = u.relevant + excluded.relevant,
       billable = u.billable + excluded.billable, failed = u.failed + excluded.failed, mention_units = u.mention_units +
         excluded.mention_units`,
    [...values, dayOf(at), metered ? MENTION : 0],
  )
  await Promise.all([counting, using])
}

/** Counts the scores for the statistics of their keywords, and stops keywords that turn out to bring noise. */
async function countScores(tx: Transaction, scores: readonly Score[], { at, metered }: ScoringOptions): Promise<void> {
  const moves = scores.map(({ mention: { workspaceId, keywordId, createdAt }, verdict }) => ({
    ...{ workspaceId, keywordId, createdAt },
    before: null,
    after: verdict?.relevance ?? null,
  }))
  await Promise.all([countRelevance(tx, moves, at), metered ? brakeNoise(tx, moves, at) : undefined])
}
