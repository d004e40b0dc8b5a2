import { SECOND_MS } from '../../kernel/clock.ts'
import {
  EXPIRED_AT_ONCE,
  type ExpiringWorkspace,
  expirePortion,
  findExpiring,
} from '../../store/retention/expired-mentions.ts'
import type { Services } from '../writing.ts'

/** A stop of the process waits for a run. The job runs each minute, so removals take a sixth of it at most. */
const RUN_MS = 10 * SECOND_MS

/**
 * Removes mentions beyond the period of their workspace: one portion of each workspace in turn, until none is left or
 * the time is up. Every portion is a transaction, so a crash loses only the last. Returns how many mentions went.
 */
export async function expireMentions({ db, clock, log, retention }: Services): Promise<number> {
  const endMs = clock.monotonicMs() + RUN_MS
  const removed = { mentions: 0, posts: 0 }
  let due = await findExpiring(db, retention.mentionDays, clock.now())
  const workspaces = due.length
  while (due.length > 0) {
    const left: ExpiringWorkspace[] = []
    for (const workspace of due) {
      if (clock.monotonicMs() >= endMs) break
      const { found, mentions, posts } = await expirePortion(db, workspace)
      removed.mentions += mentions
      removed.posts += posts
      if (found === EXPIRED_AT_ONCE) left.push(workspace)
    }
    due = left
  }
  if (removed.mentions > 0)
    log.info({ event: 'mentions.expired', workspaces, ...removed }, 'Mentions beyond their period were removed')
  return removed.mentions
}
