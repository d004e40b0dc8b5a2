import type { Uuid } from '../kernel/ids.ts'
import { type Reader, sql } from './database.ts'

/** A secret as it is stored, and the channel that it belongs to. */
export interface SealedSecret {
  workspaceId: Uuid
  channelId: Uuid
  sealed: string
}

/** The secrets that were sealed last, over all workspaces. */
export async function readNewestSecrets(reader: Reader, limit: number): Promise<SealedSecret[]> {
  const rows = await reader.query<{ workspace_id: Uuid; id: Uuid; secret_sealed: string }>(
    sql`select workspace_id, id, secret_sealed from channel where secret_sealed is not null order by created_at desc limit ${limit}`,
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, channelId: row.id, sealed: row.secret_sealed }))
}
