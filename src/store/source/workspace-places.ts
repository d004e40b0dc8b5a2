import { type Platform, platformNumber } from '../../domain/platform/platforms.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'
import { hostOfPlace, PLACE_CHANNEL } from './places.ts'

export interface NewWorkspacePlace {
  id: Uuid
  workspaceId: Uuid
  platform: Platform
  address: string
  title: string | null
  at: Date
}

/**
 * False if the workspace names the place already. Else the place is due at once, also if others name it: the time of
 * their next read would tell of them.
 */
export async function insertWorkspacePlace(tx: Transaction, named: NewWorkspacePlace): Promise<boolean> {
  const { workspaceId, platform, address, title, at } = named
  // The update's lock prevents dropping the place as unnamed.
  const [place] = await tx.query<{ id: Uuid }>(sql`
    insert into place as p (id, platform, address, host, title, by_operator, named_at, due_at)
    values (${newUuid(at)}, ${platformNumber(platform)}, ${address}, ${hostOfPlace(address)}, ${title}, false, ${at},
      ${at})
    on conflict (platform, address) do update set title = coalesce(p.title, excluded.title) returning id`)
  const rows = await tx.query(sql`
    insert into workspace_place (workspace_id, id, place_id, created_at)
    values (${workspaceId}, ${named.id}, ${place!.id}, ${at})
    on conflict (workspace_id, place_id) do nothing returning id`)
  if (rows.length > 0) await tx.query(sql`update place set due_at = least(due_at, ${at}) where id = ${place!.id}`)
  await tx.query(sql`select pg_notify(${PLACE_CHANNEL}, '')`)
  return rows.length > 0
}

/** False if there is none. */
export async function deleteWorkspacePlace(tx: Transaction, workspaceId: Uuid, id: Uuid): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from workspace_place where workspace_id = ${workspaceId} and id = ${id} returning id`,
  )
  return rows.length > 0
}

/** Of these workspaces, those that name the place. */
export async function readNamers(
  reader: Reader,
  placeId: Uuid,
  workspaceIds: readonly Uuid[],
): Promise<ReadonlySet<Uuid>> {
  const rows = await reader.run<{ workspace_id: Uuid }>(
    'namers-of-place',
    'select workspace_id from workspace_place where place_id = $1 and workspace_id = any($2::uuid[])',
    [placeId, workspaceIds],
  )
  return new Set(rows.map((row) => row.workspace_id))
}

export interface WorkspacePlace {
  id: Uuid
  platform: number
  address: string
  title: string | null
  createdAt: Date
  lastPolledAt: Date | null
  lastSuccessAt: Date | null
  lastFoundAt: Date | null
  dueAt: Date
  lastError: string | null
}

/** Oldest first. Without `id` all of the workspace. */
export async function readWorkspacePlaces(
  reader: Reader,
  workspaceId: Uuid,
  { id }: { id?: Uuid } = {},
): Promise<WorkspacePlace[]> {
  const rows = await reader.query<{
    id: Uuid
    platform: number
    address: string
    title: string | null
    created_at: Date
    last_polled_at: Date | null
    last_success_at: Date | null
    last_found_at: Date | null
    due_at: Date
    last_error: string | null
  }>(sql`
    select w.id, p.platform, p.address, p.title, w.created_at, p.last_polled_at, p.last_success_at, p.last_found_at,
      p.due_at, p.last_error
    from workspace_place w join place p on p.id = w.place_id
    where w.workspace_id = ${workspaceId} and ${id === undefined ? sql`true` : sql`w.id = ${id}`} order by w.id`)
  return rows.map((row) => ({
    id: row.id,
    platform: row.platform,
    address: row.address,
    title: row.title,
    createdAt: row.created_at,
    lastPolledAt: row.last_polled_at,
    lastSuccessAt: row.last_success_at,
    lastFoundAt: row.last_found_at,
    dueAt: row.due_at,
    lastError: row.last_error,
  }))
}
