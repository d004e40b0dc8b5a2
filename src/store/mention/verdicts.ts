import { intentBits, SENTIMENTS } from '../../domain/mention/classification.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import { dayOf } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { keyColumns } from '../counts/keyword-counts.ts'
import type { Transaction } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'
import type { EarlyTriage, Score, ScoredPerson } from '../model/score.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/account-changes.ts'

/** The lock order everywhere: counters by keyword, then mentions by id. */
export async function lockCountersOfScores(tx: Transaction, scores: readonly Score[]): Promise<void> {
  await tx.run(
    'score-lock-counters',
    `select from (select distinct workspace_id, keyword_id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id,
        keyword_id)) wanted
     join keyword_counter c using (workspace_id, keyword_id) order by c.workspace_id, c.keyword_id for update of c`,
    keyColumns(scores.map(({ mention }) => mention)),
  )
}

/** A null verdict means that scoring failed. */
const VERDICTS = new GivenRows<Score>({
  workspace_id: given.uuid(({ mention }) => mention.workspaceId),
  id: given.uuid(({ mention }) => mention.mentionId),
  failed: given.boolean(({ verdict }) => verdict === null),
  relevance: given.smallint(({ verdict }) => verdict?.relevance ?? null),
  sentiment: given.smallint(({ verdict }) => (verdict ? SENTIMENTS.indexOf(verdict.sentiment) : null)),
  intents: given.integer(({ verdict }) => (verdict ? intentBits(verdict.intents) : 0)),
  automated: given.boolean(({ verdict }) => verdict?.automated ?? null),
  language: given.text(({ verdict }) => verdict?.language ?? null),
  confidence: given.double(({ verdict }) => verdict?.confidence ?? null),
  note: given.text(({ verdict }) => verdict?.note ?? null),
})

const SCORED = new GivenValues(['at', 'day'], VERDICTS.after)

interface WrittenRow extends EarlyTriage {
  id: Uuid
  status: number
  /** The muted person behind the author. */
  muted: ScoredPerson | null
}

/**
 * Returns the written scores with the mention's present triage and author. Sees mutes from before the counters were
 * locked; a later mute waits for them and cancels the deliveries.
 */
export async function writeVerdicts(tx: Transaction, scores: readonly Score[], at: Date): Promise<Score[]> {
  const sorted = [...scores].sort((a, b) => (a.mention.mentionId < b.mention.mentionId ? -1 : 1))
  const written = await tx.run<WrittenRow>(
    'score-mentions',
    `with t as materialized (
       select * from ${VERDICTS.unnested}),
     done as (delete from score_queue q using t where q.workspace_id = t.workspace_id and q.mention_id = t.id),
     scored as (
     update mention m set scored_at = ${SCORED.the.at}, failed = t.failed, relevance = t.relevance,
       sentiment = t.sentiment,
       intents = t.intents, automated = t.automated, language = t.language,
       confidence = t.confidence, note = t.note, counted_on = (select w.settled_through + 1 from workspace w
         where w.id = m.workspace_id and w.settled_through >= ${SCORED.the.day}::date)
     from t where m.workspace_id = t.workspace_id and m.id = t.id and m.scored_at is null
     returning ${COUNTED_COLUMNS}, m.status, m.snoozed_until as "snoozedUntil", m.triage_note,
       case when m.assignee_id is not null then (select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
         from user_account u where u.id = m.assignee_id) end as assignee,
       (select jsonb_build_object('id', p.id, 'tags', p.tags, 'muted', true) from account a
         join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
         where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted) as muted),
     noted as (${notingMentions('scored', 'come')})
     select id, status, "snoozedUntil", triage_note as note, assignee, muted from scored`,
    [...VERDICTS.values(sorted), ...SCORED.values({ at, day: dayOf(at) })],
  )
  const rows = new Map(written.map((row) => [row.id, row]))
  return scores.flatMap((score) => {
    const row = rows.get(score.mention.mentionId)
    return row ? [asWritten(score, row)] : []
  })
}

function asWritten(score: Score, { status: number, assignee, snoozedUntil, note, muted }: WrittenRow): Score {
  const status = MENTION_STATUSES[number]!
  const known = muted === null ? score : { ...score, person: muted }
  const current = status === known.mention.status ? known : { ...known, mention: { ...known.mention, status } }
  return assignee || snoozedUntil || note !== null ? { ...current, triage: { assignee, snoozedUntil, note } } : current
}
