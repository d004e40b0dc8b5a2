import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { cancelDeliveries } from '../delivery/cancel-deliveries.ts'
import { throughIndexes } from '../delivery/outbox.ts'

export interface KnownPerson {
  id: Uuid
  tags: string[]
  muted: boolean
}

/** Only people with tags, a mute or several accounts. Skips workspaces without any, which are most. */
export async function readKnownPeople(
  reader: Reader,
  accounts: readonly { workspaceId: Uuid; accountId: Uuid }[],
): Promise<Map<Uuid, KnownPerson>> {
  if (accounts.length === 0) return new Map()
  const rows = await reader.run<{ account_id: Uuid; id: Uuid; tags: string[]; muted: boolean }>(
    'read-known-people',
    `with wanted as materialized (select distinct workspace_id, account_id
        from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, account_id)),
     knowing as materialized (
       select workspace_id from (select distinct workspace_id from wanted) t
       where exists (select from person p where p.workspace_id = t.workspace_id and (p.muted or p.tags <> '{}'))
         or exists (select from account a where a.workspace_id = t.workspace_id and a.person_id <> a.id))
     select a.id as account_id, p.id, p.tags, p.muted from knowing join wanted t using (workspace_id)
     cross join lateral (select * from account a where a.workspace_id = t.workspace_id
       and a.id = t.account_id offset 0) a
     cross join lateral (select * from person p where p.workspace_id = a.workspace_id and p.id = a.person_id offset 0) p
     where p.muted or p.tags <> '{}' or p.id <> a.id`,
    [accounts.map((account) => account.workspaceId), accounts.map((account) => account.accountId)],
  )
  return new Map(rows.map((row) => [row.account_id, { id: row.id, tags: row.tags, muted: row.muted }]))
}

/** Unsent deliveries are queued or held, so neither the log nor the mentions are searched. */
export async function cancelOfAccounts(tx: Transaction, workspaceId: Uuid, accountIds: readonly Uuid[]): Promise<void> {
  await throughIndexes(tx)
  // Scoring holds counters until it commits and reads mutes under them: its deliveries exist once these locks are
  // granted, or it then sees the mute.
  await tx.query(
    sql`select 1 from keyword_counter where workspace_id = ${workspaceId} order by keyword_id for key share`,
  )
  const rows = await tx.query<{ id: Uuid }>(sql`
    select d.id from (
      select delivery_id from delivery_queue where workspace_id = ${workspaceId} union select delivery_id
        from delivery_held where workspace_id = ${workspaceId}) waits
    join delivery d on d.workspace_id = ${workspaceId} and d.id = waits.delivery_id and d.status in ('pending', 'held')
    join mention m on m.workspace_id = ${workspaceId} and m.id = d.mention_id
      and m.account_id = any(${accountIds}::uuid[])`)
  if (rows.length === 0) return
  await cancelDeliveries(
    tx,
    sql`d.workspace_id = ${workspaceId} and d.id = any(${rows.map((row) => row.id)}::uuid[])`,
    'the author is muted',
  )
}
