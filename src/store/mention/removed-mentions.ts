import type { Uuid } from '../../kernel/ids.ts'
import type { RemovedMention } from '../counts/removed-mentions.ts'
import type { Transaction } from '../database.ts'
import { COUNTED_COLUMNS, notingMentions } from '../person/account-changes.ts'

type RemovedOfPost = RemovedMention & { post_id: Uuid }

const DELETED = `returning ${COUNTED_COLUMNS}, m.created_at, m.feedback_relevant, m.failed, m.counted_on),
     noted as (${notingMentions('gone', 'go')}),
     unqueued as (delete from score_queue q using gone where q.workspace_id = gone.workspace_id
       and q.mention_id = gone.id)
     select workspace_id, id, keyword_id, post_id, platform, created_at, published_at, relevance, feedback_relevant,
       case when not failed then coalesce(counted_on, (scored_at at time zone 'UTC')::date)::text end as scored_on
     from gone`

/** Deletes before the queue entries, in the order of scoring, which prevents deadlocks. */
export function deleteMentionsOfPosts(tx: Transaction, postIds: readonly Uuid[]): Promise<RemovedOfPost[]> {
  return tx.run<RemovedOfPost>(
    'remove-posts-mentions',
    `with gone as (delete from mention m where m.post_id = any($1::uuid[]) ${DELETED}`,
    [postIds],
  )
}

/** The caller holds the counters of the mentions. */
export function deleteMentions(tx: Transaction, workspaceId: Uuid, ids: readonly Uuid[]): Promise<RemovedOfPost[]> {
  return tx.run<RemovedOfPost>(
    'expire-mentions',
    `with gone as (delete from mention m where m.workspace_id = $1 and m.id = any($2::uuid[]) ${DELETED}`,
    [workspaceId, ids],
  )
}
