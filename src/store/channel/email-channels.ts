import { HOUR_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { notifyOfChannels } from '../delivery/notify-of-deliveries.ts'
import { type HeldRow, queueHeld, workspacesHolding } from '../delivery/waiting-room.ts'

export interface Recipient {
  email: string
  /** Null before confirmation, and after an unsubscription. */
  confirmedAt: string | null
}

export interface MailedChannel {
  enabled: boolean
  recipients: Recipient[]
  workspaceName: string
}

/** Locks the channel until the transaction ends; null when it is gone or of another kind. */
export async function holdRecipients(
  tx: Transaction,
  workspaceId: Uuid,
  channelId: Uuid,
): Promise<MailedChannel | null> {
  // This lock excludes other holders, but not transactions that record deliveries.
  const [row] = await tx.query<{ enabled: boolean; config: { recipients: Recipient[] }; name: string }>(sql`
    select c.enabled, c.config, w.name from channel c join workspace w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId} and c.id = ${channelId} and c.kind = 'email' for no key update of c`)
  return row === undefined ? null : { enabled: row.enabled, recipients: row.config.recipients, workspaceName: row.name }
}

export async function workspaceNameOf(reader: Reader, workspaceId: Uuid): Promise<string | null> {
  const [row] = await reader.query<{ name: string }>(sql`select name from workspace where id = ${workspaceId}`)
  return row?.name ?? null
}

/** Only members with confirmed addresses; locks the memberships until the transaction ends. */
export async function memberAddresses(
  tx: Transaction,
  workspaceId: Uuid,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ email: string }>(sql`
    select u.email_folded as email from membership m join user_account u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.email_folded = any(${[...emails]}::text[])
      and u.email_confirmed_at is not null
    for share of m`)
  return new Set(rows.map(({ email }) => email))
}

export async function optedOut(reader: Reader, workspaceId: Uuid, emails: readonly string[]): Promise<Set<string>> {
  const rows = await reader.query<{ email: string }>(
    sql`select email from email_opt_out where workspace_id = ${workspaceId} and email = any(${[...emails]}::text[])
        and ended_at is null`,
  )
  return new Set(rows.map(({ email }) => email))
}

/** Also when the address has confirmed since. */
export async function leftAt(reader: Reader, workspaceId: Uuid, email: string): Promise<Date | null> {
  const [row] = await reader.query<{ created_at: Date }>(
    sql`select created_at from email_opt_out where workspace_id = ${workspaceId} and email = ${email}`,
  )
  return row?.created_at ?? null
}

export async function optOut(tx: Transaction, workspaceId: Uuid, email: string, at: Date): Promise<void> {
  await tx.query(sql`
    insert into email_opt_out (workspace_id, email, created_at) select id, ${email}, ${at} from workspace
      where id = ${workspaceId}
    on conflict (workspace_id, email) do update set created_at = greatest(email_opt_out.created_at,
      excluded.created_at), ended_at = null`)
}

/** Keeps the time of the opt-out, because older links stay invalid. */
export async function optIn(tx: Transaction, workspaceId: Uuid, email: string, at: Date): Promise<void> {
  await tx.query(
    sql`update email_opt_out set ended_at = ${at} where workspace_id = ${workspaceId} and email = ${email}
        and ended_at is null`,
  )
}

/** The state of a delivery at one recipient, by folded address. */
export interface Receipt {
  email: string
  state: 'sending' | 'accepted' | 'refused'
  /** While `sending`: the end of the sender's lease. */
  leasedUntil: Date | null
}

export async function readReceipts(reader: Reader, workspaceId: Uuid, deliveryId: Uuid): Promise<Receipt[]> {
  return reader.query<Receipt>(
    sql`select email, state, leased_until as "leasedUntil" from email_receipt where workspace_id = ${workspaceId}
        and delivery_id = ${deliveryId}`,
  )
}

export interface MailLease {
  workspaceId: Uuid
  deliveryId: Uuid
  leasedUntil: Date
}

export async function leaseMails(
  tx: Transaction,
  { workspaceId, deliveryId, leasedUntil }: MailLease,
  emails: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into email_receipt (workspace_id, delivery_id, email, state, leased_until, created_at)
    select ${workspaceId}, ${deliveryId}, email, 'sending', ${leasedUntil}, ${at}
      from unnest(${[...emails]}::text[]) email
    on conflict (workspace_id, delivery_id, email) do update set leased_until = excluded.leased_until`)
}

export async function noteReceipt(
  tx: Transaction,
  { workspaceId, deliveryId }: MailLease,
  email: string,
  state: 'accepted' | 'refused',
): Promise<void> {
  await tx.query(sql`
    update email_receipt set state = ${state}, leased_until = null
    where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} and email = ${email} and state <> 'accepted'`)
}

export async function releaseMail(
  tx: Transaction,
  { workspaceId, deliveryId, leasedUntil }: MailLease,
  email: string,
): Promise<void> {
  await tx.query(sql`
    delete from email_receipt where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} and email = ${email}
    and state = 'sending' and leased_until = ${leasedUntil}`)
}

/** Only for a process that knows it is the only one: the leases are a dead process's. */
export async function releaseAllMails(tx: Transaction): Promise<void> {
  await tx.query(sql`delete from email_receipt where state = 'sending'`)
}

export async function isReplay(reader: Reader, workspaceId: Uuid, deliveryId: Uuid): Promise<boolean> {
  const rows = await reader.query(
    sql`select 1 from delivery where workspace_id = ${workspaceId} and id = ${deliveryId} and replay_of is not null`,
  )
  return rows.length > 0
}

export interface CountedMail {
  workspaceId: Uuid
  channelId: Uuid
  deliveryId: Uuid
  kind: 'mention' | 'test'
}

/**
 * False, uncounted, at the limit. A delivery counts once an hour, however often it is tried. The caller holds the
 * channel's row, so that concurrent calls see each other.
 */
export async function countMail(
  tx: Transaction,
  { workspaceId, channelId, deliveryId, kind }: CountedMail,
  most: number,
  at: Date,
): Promise<boolean> {
  const mine = sql`workspace_id = ${workspaceId} and channel_id = ${channelId} and kind = ${kind}`
  await tx.query(sql`delete from email_sent where ${mine} and sent_at <= ${plus(at, -HOUR_MS)}`)
  const sent = await tx.query<{ delivery_id: Uuid }>(sql`select delivery_id from email_sent where ${mine}`)
  if (sent.some((item) => item.delivery_id === deliveryId)) return true
  if (sent.length >= most) return false
  await tx.query(sql`
    insert into email_sent (workspace_id, channel_id, kind, delivery_id, sent_at)
      values (${workspaceId}, ${channelId}, ${kind}, ${deliveryId}, ${at})`)
  return true
}

export async function mentionsHeld(
  reader: Reader,
  workspaceId: Uuid,
  channelIds: readonly Uuid[],
  heldFor: string,
): Promise<Uuid[]> {
  const rows = await reader.query<{ id: Uuid }>(sql`
    select distinct d.mention_id as id from delivery_held h join delivery d on d.workspace_id = h.workspace_id
      and d.id = h.delivery_id
    where h.workspace_id = ${workspaceId} and h.channel_id = any(${[...channelIds]}::uuid[]) and d.kind = 'mention'
      and d.status = 'held' and d.error = ${heldFor}`)
  return rows.map(({ id }) => id)
}

export async function cancelHeld(
  tx: Transaction,
  {
    workspaceId,
    channelId,
    mentionIds,
    heldFor,
    reason,
  }: { workspaceId: Uuid; channelId: Uuid; mentionIds: readonly Uuid[]; heldFor: string; reason: string },
): Promise<number> {
  if (mentionIds.length === 0) return 0
  const rows = await tx.query(sql`
    with held as materialized (
      select d.id from delivery_held h join delivery d on d.workspace_id = h.workspace_id and d.id = h.delivery_id
      where h.workspace_id = ${workspaceId} and h.channel_id = ${channelId} and d.kind = 'mention'
        and d.status = 'held' and d.error = ${heldFor} and d.mention_id = any(${[...mentionIds]}::uuid[])
      order by d.id for update of d),
    gone as (delete from delivery_held h using held where h.workspace_id = ${workspaceId}
      and h.channel_id = ${channelId} and h.delivery_id = held.id)
    update delivery d set status = 'cancelled', error = ${reason} from held where d.workspace_id = ${workspaceId}
      and d.id = held.id returning 1`)
  if (rows.length > 0) await notifyOfChannels(tx, [{ workspaceId, channelId }])
  return rows.length
}

export interface ConfirmationCounts {
  ofWorkspace: number
  /** By mailbox; `until` is when the first of them expires. */
  ofMailbox: Map<string, { mails: number; until: Date }>
}

/** Locks by workspace and mailbox, in order, so that concurrent callers see each other's requests. */
export async function holdConfirmations(
  tx: Transaction,
  workspaceId: Uuid,
  mailboxes: readonly string[],
  at: Date,
): Promise<ConfirmationCounts> {
  for (const name of [workspaceId, ...[...new Set(mailboxes)].sort()])
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`confirmations ${name}`}, 0))`)
  const [own] = await tx.query<{ mails: number }>(
    sql`select count(*) as mails from confirmation_mail where workspace_id = ${workspaceId} and expires_at > ${at}`,
  )
  const rows = await tx.query<{ mailbox: string; mails: number; until: Date }>(sql`
    select mailbox, count(*) as mails, min(expires_at) as until from confirmation_mail
    where mailbox = any(${[...mailboxes]}::text[]) and expires_at > ${at} group by mailbox`)
  return {
    ofWorkspace: own!.mails,
    ofMailbox: new Map(rows.map(({ mailbox, mails, until }) => [mailbox, { mails, until }])),
  }
}

export async function noteConfirmation(
  tx: Transaction,
  { workspaceId, id, mailbox, expiresAt }: { workspaceId: Uuid; id: Uuid; mailbox: string; expiresAt: Date },
): Promise<void> {
  await tx.query(
    sql`insert into confirmation_mail (workspace_id, id, mailbox, expires_at)
        values (${workspaceId}, ${id}, ${mailbox}, ${expiresAt})`,
  )
}

/** An older mail held by the hourly limit goes first. */
export async function holdsOlder(
  reader: Reader,
  { workspaceId, channelId, deliveryId }: Pick<CountedMail, 'workspaceId' | 'channelId' | 'deliveryId'>,
): Promise<boolean> {
  const rows = await reader.query(sql`
    select from delivery_held where waits_for = 'email_hourly_limit' and workspace_id = ${workspaceId}
      and channel_id = ${channelId} and delivery_id < ${deliveryId} limit 1`)
  return rows.length > 0
}

/** `most` mails within the hour, over all channels of the workspace. */
export async function isAnyFlooded(
  reader: Reader,
  workspaceId: Uuid,
  emails: readonly string[],
  most: number,
  at: Date,
): Promise<boolean> {
  const rows = await reader.query(sql`
    select from unnest(${[...emails]}::text[]) as t (email)
    where (select count(*) from email_receipt r where r.workspace_id = ${workspaceId} and r.email = t.email
      and r.created_at > ${plus(at, -HOUR_MS)} and r.state <> 'refused') >= ${most}
    limit 1`)
  return rows.length > 0
}

/** Queues mails that the hourly limit held, oldest first, as far as it allows now. */
export async function releaseMails(db: Database, most: number, at: Date): Promise<number> {
  let released = 0
  for (const workspaceId of await workspacesHolding(db, 'email_hourly_limit'))
    released += await db.transaction((tx) => releaseMailsOf(tx, workspaceId, most, at))
  return released
}

async function releaseMailsOf(tx: Transaction, workspaceId: Uuid, most: number, at: Date): Promise<number> {
  const held = await tx.query<HeldRow>(sql`
    with recursive holding (id) as (
      (select channel_id from delivery_held where waits_for = 'email_hourly_limit' and workspace_id = ${workspaceId}
        order by channel_id limit 1)
      union all
      select next.channel_id from holding cross join lateral (
        select h.channel_id from delivery_held h where h.waits_for = 'email_hourly_limit'
          and h.workspace_id = ${workspaceId} and h.channel_id > holding.id
        order by h.channel_id limit 1) next)
    select holding.id as "channelId", oldest.delivery_id as "deliveryId" from holding cross join lateral (
      select h.delivery_id from delivery_held h where h.waits_for = 'email_hourly_limit'
        and h.workspace_id = ${workspaceId} and h.channel_id = holding.id
      order by h.delivery_id limit greatest(0, ${most} - (
        select count(*) from email_sent s where s.workspace_id = ${workspaceId} and s.channel_id = holding.id
          and s.kind = 'mention' and s.sent_at > ${plus(at, -HOUR_MS)}))) oldest`)
  return await queueHeld(tx, workspaceId, held, at)
}
