import type { TriageActor } from '../../domain/mention/triage.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { getMention } from '../../queries/mentions/get-mention.ts'
import type { Mention } from '../../queries/mentions/mention-shape.ts'
import { announceWork } from '../../store/announcements.ts'
import { sql } from '../../store/database.ts'
import { takeBackFailure } from '../../store/mention/failed-scores.ts'
import { holdCounters, lockMentions } from '../../store/mention/locked-mentions.ts'
import type { WritingContext } from '../writing.ts'

/** Scores a failed mention again and charges it; the failure was free. A pending mention stays pending. */
export async function rescoreMention(
  writing: WritingContext,
  actor: TriageActor,
  id: Uuid,
): Promise<Mention | Refusal<'not_found' | 'already_classified' | 'keyword_inactive'>> {
  const { workspaceId, clock } = writing
  return await writing.db.transaction(async (tx) => {
    await holdCounters(tx, workspaceId, [id])
    const at = clock.now()
    const [mention] = await lockMentions(tx, workspaceId, [id], at)
    if (!mention) return refuse('not_found', 'This workspace has no mention with this id.')
    const { triage, scoredAt, failed } = mention
    if (scoredAt !== null && (!failed || triage.markedAt !== null))
      return refuse('already_classified', 'The mention already has a verdict of the scorer or the team.')
    // Muting a keyword locks its counter.
    const [keyword] = await tx.query<{ muted: boolean }>(
      sql`select muted from keyword where workspace_id = ${workspaceId} and id = ${mention.keywordId}`,
    )
    if (keyword?.muted) return refuse('keyword_inactive', 'The keyword of the mention is muted.')
    if (scoredAt !== null) await takeBackFailure(tx, mention, actor, at)
    await announceWork(tx, 'mentions')
    return await getMention({ ...writing, db: tx }, id)
  })
}
