import type { Topic } from '../../domain/follower/topics.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import { sql, type Transaction } from '../database.ts'

/**
 * Carries workspace id, topic and ids, separated by spaces. A workspace id alone says that access to the workspace
 * changed: triggers on the credential tables send that.
 */
export const CHANGES_CHANNEL = 'earshot_changes'
/** Fits a notification with workspace id and topic: the server's limit is 7,999 bytes. */
const IDS_PER_NOTIFICATION = 200

export async function announceFollowing(
  tx: Transaction,
  processId: Uuid,
  followed: ReadonlyMap<Uuid, ReadonlySet<Topic>>,
  until: Date,
): Promise<void> {
  const workspaceIds = [...followed.keys()].sort()
  const topics = workspaceIds.map((id) => [...followed.get(id)!].sort().join(' '))
  await tx.query(
    sql`delete from workspace_follower where process_id = ${processId}
        and workspace_id <> all(${workspaceIds}::uuid[])`,
  )
  await tx.query(sql`
    insert into workspace_follower (workspace_id, process_id, topics, until)
    select w.id, ${processId}, string_to_array(t.topics, ' '), ${until}
    from unnest(${workspaceIds}::uuid[], ${topics}::text[]) as t (id, topics) join workspace w on w.id = t.id
    order by w.id
    on conflict (workspace_id, process_id) do update set topics = excluded.topics, until = excluded.until`)
}

export async function forgetFollowers(tx: Transaction, at: Date): Promise<number> {
  return (await tx.query(sql`delete from workspace_follower where until < ${at} returning process_id`)).length
}

interface Changed {
  workspaceId: Uuid
  id: Uuid
}

/** Notifies when the transaction commits, and only of workspaces that are followed. The ids are those of `topic`. */
export async function notifyFollowers(tx: Transaction, topic: Topic, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return
  await tx.run(
    'notify-followers',
    `select pg_notify('${CHANGES_CHANNEL}', concat_ws(' ', workspace_id::text, $3, string_agg(id::text, ' ')))
     from (select t.workspace_id, t.id, (row_number() over (partition by t.workspace_id) - 1) /
       ${IDS_PER_NOTIFICATION} as part
       from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
       where exists (select from workspace_follower f where f.workspace_id = t.workspace_id
         and $3::text = any(f.topics))) followed
     group by workspace_id, part`,
    [columns.uuids(changed.map(({ workspaceId }) => workspaceId)), columns.uuids(changed.map(({ id }) => id)), topic],
  )
}
