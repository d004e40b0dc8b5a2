import type { Uuid } from '../kernel/ids.ts'
import { type Reader, sql, type Transaction } from './database.ts'

export interface SealedSecret {
  workspaceId: Uuid
  channelId: Uuid
  sealed: string
}

/** The secrets of the newest channels of all workspaces. */
export async function readNewestSecrets(reader: Reader, limit: number): Promise<SealedSecret[]> {
  const rows = await reader.query<{ workspace_id: Uuid; id: Uuid; secret_sealed: string }>(
    sql`select workspace_id, id, secret_sealed from channel where secret_sealed is not null order by created_at desc
        limit ${limit}`,
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, channelId: row.id, sealed: row.secret_sealed }))
}

/** A text by which processes check that they have this database's key. */
export async function readKeySample(reader: Reader): Promise<string | null> {
  const [row] = await reader.query<{ sealed: string }>(sql`select sealed from key_check`)
  return row?.sealed ?? null
}

/** Returns the stored sample, whoever wrote it. */
export async function keepKeySample(tx: Transaction, sealed: string): Promise<string> {
  await tx.query(sql`insert into key_check (sealed) values (${sealed}) on conflict do nothing`)
  return (await readKeySample(tx))!
}

export async function replaceKeySample(tx: Transaction, sealed: string): Promise<void> {
  await tx.query(
    sql`insert into key_check (sealed) values (${sealed}) on conflict (one) do update set sealed = excluded.sealed`,
  )
}
