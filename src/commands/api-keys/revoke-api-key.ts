import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import { endOldFeeds, renewFeeds } from '../../store/filter/views.ts'
import { recordAudit } from '../../store/workspace/audit.ts'
import type { WritingContext } from '../writing.ts'

/** Also replaces the feed addresses that the key's holder may have read. */
export async function revokeApiKey(
  { db, clock, workspaceId }: WritingContext,
  id: Uuid,
): Promise<undefined | Refusal<'not_found'>> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    const [revoked] = await tx.query<{ name: string; scope: 'read' | 'write' }>(
      sql`update api_key set revoked_at = ${now} where workspace_id = ${workspaceId} and id = ${id}
          and revoked_at is null returning name, scope`,
    )
    if (revoked === undefined) return refuse('not_found', 'This workspace has no such API key.')
    const target = { id: toId('key', id), name: revoked.name }
    await recordAudit(tx, { workspaceId, kind: 'api_key.revoked', target, data: { because: 'asked' } }, now)
    await (revoked.scope === 'write' ? renewFeeds : endOldFeeds)(tx, workspaceId, now)
    return undefined
  })
}
