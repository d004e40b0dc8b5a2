import type { TriageActor } from '../../domain/mention/triage.ts'
import { platformNumber } from '../../domain/platform/platforms.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'
import { markBlocksStale } from '../filter/mention-blocks.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/account-changes.ts'
import type { TriagedMention } from './locked-mentions.ts'
import { recordChanges } from './mention-history.ts'

/** Queues the mention again and takes the failure off its usage day. */
export async function takeBackFailure(
  tx: Transaction,
  mention: TriagedMention,
  actor: TriageActor,
  at: Date,
): Promise<void> {
  const { workspaceId, mentionId, keywordId, platform, countedOn } = mention
  // The next score counts the author again.
  await tx.run(
    'rescore-note',
    `with gone as (select ${COUNTED_COLUMNS} from mention m
        where m.workspace_id = $1 and m.id = $2) ${notingMentions('gone', 'go')}`,
    [workspaceId, mentionId],
  )
  await tx.query(sql`
    update mention set scored_at = null, failed = false, intents = null, counted_on = null
      where workspace_id = ${workspaceId} and id = ${mentionId}`)
  await markBlocksStale(tx, [mention], at)
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
