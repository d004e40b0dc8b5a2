import { SESSION_MS } from '../../domain/account/account.ts'
import { HOUR_MS, plus } from '../../kernel/clock.ts'
import type { Services } from '../writing.ts'

/** Extends a session at most once an hour, so that not every request writes. */
export async function touchSession({ db, clock }: Services, hash: Buffer, lastSeenAt: Date): Promise<void> {
  const now = clock.now()
  const due = plus(now, -HOUR_MS)
  if (lastSeenAt > due) return
  await db.run(
    'touch_session',
    'update user_session set last_seen_at = $2, expires_at = $3 where hash = $1 and last_seen_at <= $4',
    [hash, now, plus(now, SESSION_MS), due],
  )
}
