import type { Uuid } from '../../kernel/ids.ts'
import { sql, type Transaction } from '../database.ts'

/**
 * Carries workspace id and mention ids, separated by spaces. Without mention ids, access to the workspace changed:
 * triggers on the credential tables send that.
 */
export const SCORED_CHANNEL = 'earshot_scored'
/** Fits a notification with the workspace's id: the server's limit is 7,999 bytes. */
const IDS_PER_NOTIFICATION = 200

export async function follow(
  tx: Transaction,
  processId: Uuid,
  workspaceIds: readonly Uuid[],
  until: Date,
): Promise<void> {
  await tx.query(
    sql`delete from mention_follower where process_id = ${processId} and workspace_id <> all(${workspaceIds}::uuid[])`,
  )
  await tx.query(sql`
    insert into mention_follower (workspace_id, process_id, until)
    select w.id, ${processId}, ${until} from workspace w where w.id = any(${workspaceIds}::uuid[]) order by w.id
    on conflict (workspace_id, process_id) do update set until = excluded.until`)
}

export async function forgetFollowers(tx: Transaction, at: Date): Promise<number> {
  return (await tx.query(sql`delete from mention_follower where until < ${at} returning process_id`)).length
}

/** Notifies when the transaction commits. */
export async function notifyFollowers(
  tx: Transaction,
  mentions: readonly { workspaceId: Uuid; mentionId: Uuid }[],
  at: Date,
): Promise<void> {
  await tx.run(
    'tell-followers',
    `select pg_notify('${SCORED_CHANNEL}', concat_ws(' ', workspace_id::text, string_agg(id::text, ' ')))
     from (select t.workspace_id, t.id, (row_number() over (partition by t.workspace_id) - 1) /
       ${IDS_PER_NOTIFICATION} as part
       from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
       where exists (select from mention_follower f where f.workspace_id = t.workspace_id and f.until > $3)) told
     group by workspace_id, part`,
    [mentions.map((mention) => mention.workspaceId), mentions.map((mention) => mention.mentionId), at],
  )
}
