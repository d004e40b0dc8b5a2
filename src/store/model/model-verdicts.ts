import { intentBits, intentsFromBits, SENTIMENTS, type Verdict } from '../../domain/mention/classification.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql } from '../database.ts'
import { DELETE_BATCH, deleteInBatches } from '../delete-in-batches.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'

/** How long a verdict is reused. */
export const MODEL_VERDICT_LIFETIME_MS = 30 * DAY_MS

export interface CachedVerdict {
  workspaceId: Uuid
  key: Buffer
  verdict: Verdict
}

interface VerdictRow {
  workspace_id: Uuid
  key: Buffer
  relevance: number
  sentiment: number
  intents: number
  automated: boolean
  language: string | null
  confidence: number
  note: string
}

export async function findModelVerdicts(
  reader: Reader,
  wanted: readonly Pick<CachedVerdict, 'workspaceId' | 'key'>[],
  at: Date,
): Promise<CachedVerdict[]> {
  const rows = await reader.run<VerdictRow>(
    'find-model-verdicts',
    `select v.workspace_id, v.key, v.relevance, v.sentiment, v.intents, v.automated, v.language, v.confidence, v.note
     from (select distinct workspace_id, key from unnest($1::uuid[], $2::bytea[]) as t (workspace_id, key)) t
     cross join lateral (select * from model_verdict v where v.workspace_id = t.workspace_id and v.key = t.key
       and v.made_at > $3 offset 0) v`,
    [wanted.map((item) => item.workspaceId), wanted.map((item) => item.key), plus(at, -MODEL_VERDICT_LIFETIME_MS)],
  )
  return rows.map(({ workspace_id: workspaceId, key, sentiment, intents, ...rest }) => ({
    workspaceId,
    key,
    verdict: { ...rest, sentiment: SENTIMENTS[sentiment]!, intents: intentsFromBits(intents) },
  }))
}

const VERDICTS = new GivenRows<Omit<CachedVerdict, 'workspaceId'>>({
  key: given.bytes(({ key }) => key),
  relevance: given.smallint(({ verdict }) => verdict.relevance),
  sentiment: given.smallint(({ verdict }) => SENTIMENTS.indexOf(verdict.sentiment)),
  intents: given.integer(({ verdict }) => intentBits(verdict.intents)),
  automated: given.boolean(({ verdict }) => verdict.automated),
  language: given.text(({ verdict }) => verdict.language),
  confidence: given.double(({ verdict }) => verdict.confidence),
  note: given.text(({ verdict }) => verdict.note),
})
const ONCE = new GivenValues(['workspaceId', 'at'], VERDICTS.after)

export async function keepModelVerdicts(
  db: Database,
  workspaceId: Uuid,
  kept: readonly Omit<CachedVerdict, 'workspaceId'>[],
  at: Date,
): Promise<void> {
  const once = [...new Map(kept.map((item) => [item.key.toString('hex'), item])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
  await db.run(
    'keep-model-verdicts',
    `insert into model_verdict (workspace_id, ${VERDICTS.names}, made_at)
     select w.id, t.*, ${ONCE.the.at} from workspace w, ${VERDICTS.unnested} where w.id = ${ONCE.the.workspaceId}
     on conflict (workspace_id, key) do update set relevance = excluded.relevance, sentiment = excluded.sentiment,
       intents = excluded.intents,
       automated = excluded.automated, language = excluded.language, confidence = excluded.confidence,
         note = excluded.note, made_at = excluded.made_at`,
    [...VERDICTS.values(once), ...ONCE.values({ workspaceId, at })],
  )
}

export function pruneModelVerdicts(db: Database, at: Date): Promise<number> {
  return deleteInBatches(
    db,
    sql`delete from model_verdict where (workspace_id, key) in (
      select workspace_id, key from model_verdict where made_at <= ${plus(at, -MODEL_VERDICT_LIFETIME_MS)}
        limit ${DELETE_BATCH}) returning 1`,
  )
}
