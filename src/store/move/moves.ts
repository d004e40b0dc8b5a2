import type { Uuid } from '../../kernel/ids.ts'
import { type Reader, sql, type Transaction } from '../database.ts'

export type MoveState = 'frozen' | 'left' | 'opened' | 'gone'

export interface Move {
  id: Uuid
  name: string
  /** `identityOf` the database that it moves to. */
  target: string
  address: string
  state: MoveState
  begunAt: Date
  openedAt: Date | null
  /** How far the other cell had read each source once it watched the keywords. */
  readThere: Record<string, string> | null
}

export async function readMove(reader: Reader, id: Uuid): Promise<Move | null> {
  const [row] = await reader.query<Move>(sql`
    select id, name, target, address, state, begun_at as "begunAt", opened_at as "openedAt",
      read_there as "readThere" from moved_workspace where id = ${id}`)
  return row ?? null
}

/** Which database of which server this is, also after a failover. */
export async function identityOf(reader: Reader): Promise<string> {
  const [row] = await reader.query<{ id: string }>(sql`
    select concat_ws('/', (select system_identifier from pg_control_system()), oid) as id from pg_database
    where datname = current_database()`)
  return row!.id
}

/** Freezes a workspace and begins its move; an ended one before is forgotten. */
export async function beginMove(
  tx: Transaction,
  { id, name, target, address, at }: Pick<Move, 'id' | 'name' | 'target' | 'address'> & { at: Date },
): Promise<void> {
  await tx.query(sql`delete from moved_workspace where id = ${id}`)
  await tx.query(sql`
    insert into moved_workspace (id, name, target, address, state, begun_at)
    values (${id}, ${name}, ${target}, ${address}, 'frozen', ${at})`)
  await tx.query(sql`update workspace set frozen = true where id = ${id}`)
}

export async function setMoveState(tx: Transaction, id: Uuid, state: MoveState): Promise<void> {
  await tx.query(sql`update moved_workspace set state = ${state} where id = ${id}`)
}

/** From here on nobody sees the workspace here again, and its credentials are answered where it went. */
export async function leave(tx: Transaction, id: Uuid): Promise<void> {
  await tx.query(sql`
    insert into moved_credential (hash, moved_id)
    select hash, ${id}::uuid from (
      select hash from api_key where workspace_id = ${id}
      union select hash from oauth_token where workspace_id = ${id}
      union select hash from oauth_code where workspace_id = ${id}
      union select hash from user_session where workspace_id = ${id}
      union select hash from telegram_link where workspace_id = ${id}
      union select token_hash from inspection where workspace_id = ${id}
      union select sha256(convert_to('slack ' || team_id, 'UTF8')) from slack_connection where workspace_id = ${id}
      ) own
    on conflict do nothing`)
  await tx.query(sql`update workspace set importing = true where id = ${id}`)
  await setMoveState(tx, id, 'left')
}

/** Ends a move that has not left. */
export async function forgetMove(tx: Transaction, id: Uuid): Promise<void> {
  await tx.query(sql`delete from moved_workspace where id = ${id}`)
}

export async function noteOpened(tx: Transaction, id: Uuid, at: Date): Promise<void> {
  await tx.query(sql`update moved_workspace set state = 'opened', opened_at = ${at} where id = ${id}`)
}

export async function noteReadThere(tx: Transaction, id: Uuid, read: Record<string, string>): Promise<void> {
  await tx.query(sql`update moved_workspace set read_there = ${JSON.stringify(read)}::jsonb where id = ${id}`)
}
