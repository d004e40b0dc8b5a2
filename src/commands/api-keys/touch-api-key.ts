import { MINUTE_MS, plus } from '../../kernel/clock.ts'
import type { WritingContext } from '../writing.ts'

/** Writes at most once a minute, so that not every request of a busy key writes. */
export async function touchApiKey(
  { db, clock, workspaceId }: WritingContext,
  hash: Buffer,
  lastUsedAt: Date | null,
): Promise<void> {
  const now = clock.now()
  const due = plus(now, -MINUTE_MS)
  if (lastUsedAt !== null && lastUsedAt > due) return
  await db.run(
    'touch_api_key',
    'update api_key set last_used_at = $3 where hash = $1 and workspace_id = $2 and (last_used_at is null or ' +
      'last_used_at <= $4)',
    [hash, workspaceId, now, due],
  )
}
