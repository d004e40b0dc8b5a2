import { type Reader, sql } from '../store/database.ts'

export interface InstallationHealth {
  serverVersion: string
  workspaces: number
  keywords: number
  mentionsEstimate: number
  waitingForScore: number
  waitingForDelivery: number
  failingChannels: number
}

/** Counts for the operator; mentions are estimated from PostgreSQL's statistics. */
export async function readInstallationHealth(reader: Reader): Promise<InstallationHealth> {
  const [row] = await reader.query<InstallationHealth>(sql`
    select current_setting('server_version') as "serverVersion",
      (select count(*) from workspace) as workspaces,
      (select count(*) from keyword) as keywords,
      (select coalesce(sum(s.n_live_tup), 0)::bigint from pg_inherits i
        join pg_stat_all_tables s on s.relid = i.inhrelid
        where i.inhparent = 'mention'::regclass) as "mentionsEstimate",
      (select count(*) from score_queue) as "waitingForScore",
      (select count(*) from delivery_queue) as "waitingForDelivery",
      (select count(*) from channel c where c.enabled and (
        select count(*) = 5 and bool_and(status = 'failed') from (
          select status from delivery d where d.workspace_id = c.workspace_id and d.channel_id = c.id order by d.id desc
            limit 5) latest)) as "failingChannels"`)
  if (!row) throw new Error('the database answered nothing')
  return row
}
