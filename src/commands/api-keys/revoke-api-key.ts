import type { Uuid } from '../../kernel/ids.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { sql } from '../../store/database.ts'
import type { Writing } from '../writing.ts'

/** Ends a key from its next request on. The row stays, so that the log can still be read. */
export async function revokeApiKey({ db, clock, workspaceId }: Writing, id: Uuid): Promise<undefined | Refusal<'not_found'>> {
  const revoked = await db.query(
    sql`update api_key set revoked_at = ${clock.now()} where workspace_id = ${workspaceId} and id = ${id} and revoked_at is null returning 1`,
  )
  return revoked.length === 1 ? undefined : refuse('not_found', 'There is no such API key in this workspace.')
}
