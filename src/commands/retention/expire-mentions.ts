import type { Uuid } from '../../kernel/ids.ts'
import { findDue } from '../../store/retention/due-workspaces.ts'
import { EXPIRED_AT_ONCE, expirePortion } from '../../store/retention/expired-mentions.ts'
import type { Services } from '../writing.ts'
import { inTurns } from './in-turns.ts'

/**
 * Removes mentions beyond the period of their workspace. Every portion is a transaction, so a crash loses only the
 * last. Returns how many mentions went.
 */
export async function expireMentions({ db, clock, log, retention }: Services): Promise<number> {
  const workspaces = new Set<Uuid>()
  const removed = { mentions: 0, posts: 0 }
  const period = { installation: retention.mentionDays, at: clock.now() }
  await inTurns(
    clock,
    () => findDue(db, 'mention', period),
    async (workspace) => {
      const { found, mentions, posts } = await expirePortion(db, workspace)
      if (mentions > 0) workspaces.add(workspace.workspaceId)
      removed.mentions += mentions
      removed.posts += posts
      return found === EXPIRED_AT_ONCE
    },
  )
  const { mentions, posts } = removed
  if (mentions > 0)
    log.info(
      { event: 'mentions.expired', workspaces: workspaces.size, mentions, posts },
      'Mentions beyond their period were removed',
    )
  return mentions
}
