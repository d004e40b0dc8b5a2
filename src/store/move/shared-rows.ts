import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, type Statement, sql, type Transaction } from '../database.ts'

/** Rows that workspaces share, by what the other cell knows them by. */
interface SharedTable {
  table: 'user_account' | 'user_identity' | 'oauth_client' | 'place' | 'source_query'
  /** Of a workspace's rows. */
  where: (workspaceId: Uuid) => Statement<unknown>
}

const users = (workspaceId: Uuid) => sql`(
  select user_id from membership where workspace_id = ${workspaceId}
  union select user_id from oauth_grant where workspace_id = ${workspaceId}
  union select user_id from user_session where workspace_id = ${workspaceId}
  union select invited_by from invitation where workspace_id = ${workspaceId} and invited_by is not null)`

const TABLES = {
  user_account: { table: 'user_account', where: (id) => sql`t.id in ${users(id)}` },
  user_identity: { table: 'user_identity', where: (id) => sql`t.user_id in ${users(id)}` },
  oauth_client: {
    table: 'oauth_client',
    where: (id) => sql`t.id in (select client_id from oauth_grant where workspace_id = ${id})`,
  },
  place: {
    table: 'place',
    where: (id) => sql`t.id in (select place_id from workspace_place where workspace_id = ${id})`,
  },
  source_query: {
    table: 'source_query',
    where: (id) => sql`(t.platform, t.key) in (select platform, key from keyword_query where workspace_id = ${id})`,
  },
} as const satisfies Record<string, SharedTable>

async function linesOf(reader: Reader, { table, where }: SharedTable, workspaceId: Uuid): Promise<string> {
  const [row] = await reader.query<{ lines: string }>(sql`
    select coalesce(json_agg(row_to_json(t)), '[]')::text as lines from ${sql.table(table)} t
    where ${where(workspaceId)}`)
  return row!.lines
}

/** Makes the accounts of the workspace's people there, with their passwords; returns those with another id there. */
export async function copyUsers(here: Reader, there: Transaction, workspaceId: Uuid): Promise<Record<Uuid, Uuid>> {
  const accounts = await linesOf(here, TABLES.user_account, workspaceId)
  await there.query(sql`
    insert into user_account select * from json_populate_recordset(null::user_account, ${accounts}::json)
    on conflict do nothing`)
  const renamed = await there.query<{ old: Uuid; now: Uuid }>(sql`
    select given.id as old, u.id as now from json_populate_recordset(null::user_account, ${accounts}::json) given
      join user_account u on u.email_folded = given.email_folded where u.id <> given.id`)
  const identities = await linesOf(here, TABLES.user_identity, workspaceId)
  await there.query(sql`
    insert into user_identity (provider, subject, user_id, created_at)
    select given.provider, given.subject, u.id, given.created_at
    from json_populate_recordset(null::user_identity, ${identities}::json) given
      join json_populate_recordset(null::user_account, ${accounts}::json) a on a.id = given.user_id
      join user_account u on u.email_folded = a.email_folded
    on conflict do nothing`)
  return Object.fromEntries(renamed.map(({ old, now }) => [old, now]))
}

export async function copyClients(here: Reader, there: Transaction, workspaceId: Uuid): Promise<void> {
  const clients = await linesOf(here, TABLES.oauth_client, workspaceId)
  await there.query(sql`
    insert into oauth_client select * from json_populate_recordset(null::oauth_client, ${clients}::json)
    on conflict do nothing`)
}

/**
 * Makes feeds and forums known there, with the place up to which they were read here. One that is read there already
 * goes back to that place when it was read there later, so that no entry is missed; what comes twice is stored once.
 */
export async function copyPlaces(here: Reader, there: Transaction, workspaceId: Uuid): Promise<Record<Uuid, Uuid>> {
  const places = await linesOf(here, TABLES.place, workspaceId)
  const given = sql`json_populate_recordset(null::place, ${places}::json) given`
  await there.query(sql`
    insert into place (id, platform, address, host, title, by_operator, named_at, due_at, cursor)
    select id, platform, address, host, title, false, named_at, due_at, cursor from ${given}
    on conflict do nothing`)
  const renamed = await there.query<{ old: Uuid; now: Uuid }>(sql`
    select given.id as old, p.id as now from ${given}
      join place p on p.platform = given.platform and p.address = given.address where p.id <> given.id`)
  return Object.fromEntries(renamed.map(({ old, now }) => [old, now]))
}

/** Before the workspace is opened there: every place is read again from where it was read here. */
export async function rewindPlaces(here: Reader, there: Transaction, workspaceId: Uuid, at: Date): Promise<void> {
  const places = await linesOf(here, TABLES.place, workspaceId)
  await there.query(sql`
    update place p set cursor = case when p.last_polled_at > given.last_polled_at then given.cursor else p.cursor end,
      due_at = least(p.due_at, ${at})
    from json_populate_recordset(null::place, ${places}::json) given
    where p.platform = given.platform and p.address = given.address`)
}

/** Platforms are asked for the keywords again from where they were asked here. */
export async function copyQueries(here: Reader, there: Transaction, workspaceId: Uuid): Promise<void> {
  const queries = await linesOf(here, TABLES.source_query, workspaceId)
  await there.query(sql`
    insert into source_query as q (platform, key, term, due_at, read_until, look_back)
    select platform, key, term, '1970-01-01', read_until, look_back
    from json_populate_recordset(null::source_query, ${queries}::json) order by platform, key
    on conflict (platform, key) do update set read_until = least(q.read_until, excluded.read_until), empty_polls = 0,
      look_back = q.look_back or excluded.look_back, due_at = coalesce(q.turn_at, excluded.due_at)`)
}

/** Posts of mentions, locked there until their mentions are stored; one that is stored there stays as it is. */
export async function copyPosts(here: Reader, there: Transaction, mentions: readonly string[]): Promise<void> {
  const [row] = await here.query<{ lines: string }>(sql`
    select coalesce(json_agg(row_to_json(p)), '[]')::text as lines from post p where id in (
      select post_id from json_populate_recordset(null::mention, ${`[${mentions.join(',')}]`}::json))`)
  await there.query(sql`
    insert into post select * from json_populate_recordset(null::post, ${row!.lines}::json) order by id
    on conflict (id) do update set id = excluded.id`)
}
