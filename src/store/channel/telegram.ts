import { DAY_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'

export interface ChannelPlace {
  workspaceId: Uuid
  channelId: Uuid
}

export interface TelegramChat {
  chatId: string
  /** private, group or supergroup. */
  chatType: string | null
}

/** Null without a connected chat or Telegram channel. */
export async function readChat(reader: Reader, { workspaceId, channelId }: ChannelPlace): Promise<TelegramChat | null> {
  const [row] = await reader.run<{ chat_id: string | null; chat_type: string | null }>(
    'read-telegram-chat',
    `select config ->> 'chatId' as chat_id, config ->> 'chatType' as chat_type from channel
        where workspace_id = $1 and id = $2 and kind = 'telegram'`,
    [workspaceId, channelId],
  )
  return row === undefined || row.chat_id === null ? null : { chatId: row.chat_id, chatType: row.chat_type }
}

/** Over all workspaces, in lock order. */
export async function channelsOfChat(reader: Reader, chatId: string): Promise<ChannelPlace[]> {
  return reader.query<ChannelPlace>(sql`
    select workspace_id as "workspaceId", id as "channelId" from channel
      where kind = 'telegram' and config ->> 'chatId' = ${chatId} order by workspace_id, id`)
}

const PRUNE_PORTION = 100

export async function putLink(
  tx: Transaction,
  { workspaceId, channelId }: ChannelPlace,
  hash: Buffer,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(sql`
    delete from telegram_link l using (
      select workspace_id, channel_id from telegram_link where expires_at <= ${at} order by expires_at
        limit ${PRUNE_PORTION} for update skip locked) old
    where l.workspace_id = old.workspace_id and l.channel_id = old.channel_id`)
  await tx.query(sql`
    insert into telegram_link (workspace_id, channel_id, hash, expires_at)
      values (${workspaceId}, ${channelId}, ${hash}, ${expiresAt})
    on conflict (workspace_id, channel_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`)
}

export async function findLink(reader: Reader, hash: Buffer): Promise<ChannelPlace | null> {
  const [row] = await reader.query<ChannelPlace>(
    sql`select workspace_id as "workspaceId", channel_id as "channelId" from telegram_link where hash = ${hash}`,
  )
  return row ?? null
}

/** False when the link was used, replaced or has expired. */
export async function useLink(
  tx: Transaction,
  { workspaceId, channelId }: ChannelPlace,
  hash: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from telegram_link where workspace_id = ${workspaceId} and channel_id = ${channelId} and hash = ${hash}
      and expires_at > ${at} returning 1`)
  return rows.length > 0
}

/** Telegram stops repeating an update long before. */
const UPDATES_KEPT_MS = 2 * DAY_MS

/** False when the update was recorded before; waits for a concurrent transaction that records it. */
export async function noteUpdate(
  tx: Transaction,
  { bot, updateId, at }: { bot: string; updateId: number; at: Date },
): Promise<boolean> {
  const noted = await tx.query(
    sql`insert into telegram_update (bot, update_id, taken_at) values (${bot}, ${updateId}, ${at})
        on conflict do nothing returning 1`,
  )
  if (noted.length === 0) return false
  await tx.query(sql`
    delete from telegram_update u using (
      select bot, update_id from telegram_update where taken_at < ${plus(at, -UPDATES_KEPT_MS)} order by taken_at
        limit ${PRUNE_PORTION} for update skip locked) old
    where u.bot = old.bot and u.update_id = old.update_id`)
  return true
}

export interface Polling {
  bot: string
  holder: Uuid
}

/** Takes or renews a lease; false while another process holds it. */
export async function holdPolling(
  db: Database,
  { bot, holder }: Polling,
  { at, leasedUntil }: { at: Date; leasedUntil: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into telegram_poller as p (bot, holder, leased_until) values (${bot}, ${holder}, ${leasedUntil})
    on conflict (bot) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where p.holder = excluded.holder or p.leased_until <= ${at}
    returning 1`)
  return rows.length > 0
}

/** Another process need not wait for the end of the lease. */
export async function endPolling(db: Database, { bot, holder }: Polling): Promise<void> {
  await db.query(sql`delete from telegram_poller where bot = ${bot} and holder = ${holder}`)
}
