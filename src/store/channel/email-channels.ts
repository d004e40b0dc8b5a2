import { HOUR_MS, plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { type HeldRow, queueHeld, workspacesHolding } from '../delivery/waiting-room.ts'

/** Somebody whom a channel writes to. */
export interface Recipient {
  /** As it was written. */
  email: string
  /** When the address was shown to want this; null before, and after it unsubscribed. */
  confirmedAt: string | null
}

/** A channel as mail is sent through it. */
export interface MailedChannel {
  enabled: boolean
  recipients: Recipient[]
  workspaceName: string
}

/**
 * The recipients of a channel, which stay as they are until the transaction ends; null when there is no such channel of
 * the kind any more.
 */
export async function holdRecipients(
  tx: Transaction,
  workspaceId: Uuid,
  channelId: Uuid,
): Promise<MailedChannel | null> {
  // Weaker than what changes the channel, and stronger than what deliveries are written down under.
  const [row] = await tx.query<{ enabled: boolean; config: { recipients: Recipient[] }; name: string }>(sql`
    select c.enabled, c.config, w.name from channel c join workspace w on w.id = c.workspace_id
    where c.workspace_id = ${workspaceId} and c.id = ${channelId} and c.kind = 'email' for no key update of c`)
  return row === undefined ? null : { enabled: row.enabled, recipients: row.config.recipients, workspaceName: row.name }
}

/** The name of a workspace; null when it is gone. */
export async function workspaceNameOf(reader: Reader, workspaceId: Uuid): Promise<string | null> {
  const [row] = await reader.query<{ name: string }>(sql`select name from workspace where id = ${workspaceId}`)
  return row?.name ?? null
}

/**
 * Of these folded addresses those of members who have shown that theirs is theirs. They stay members until the
 * transaction ends.
 */
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

/** Of these folded addresses those that unsubscribed here and have not confirmed anew since. */
export async function optedOut(reader: Reader, workspaceId: Uuid, emails: readonly string[]): Promise<Set<string>> {
  const rows = await reader.query<{ email: string }>(
    sql`select email from email_opt_out where workspace_id = ${workspaceId} and email = any(${[...emails]}::text[])
        and ended_at is null`,
  )
  return new Set(rows.map(({ email }) => email))
}

/** When a folded address unsubscribed here last, whether or not it has confirmed anew since; null for never. */
export async function leftAt(reader: Reader, workspaceId: Uuid, email: string): Promise<Date | null> {
  const [row] = await reader.query<{ created_at: Date }>(
    sql`select created_at from email_opt_out where workspace_id = ${workspaceId} and email = ${email}`,
  )
  return row?.created_at ?? null
}

/** Remembers that somebody unsubscribed; nothing when the workspace is gone. */
export async function optOut(tx: Transaction, workspaceId: Uuid, email: string, at: Date): Promise<void> {
  await tx.query(sql`
    insert into email_opt_out (workspace_id, email, created_at) select id, ${email}, ${at} from workspace
      where id = ${workspaceId}
    on conflict (workspace_id, email) do update set created_at = greatest(email_opt_out.created_at,
      excluded.created_at), ended_at = null`)
}

/** Somebody who had unsubscribed wants mail again. When they did is kept, because links from before stay worthless. */
export async function optIn(tx: Transaction, workspaceId: Uuid, email: string, at: Date): Promise<void> {
  await tx.query(
    sql`update email_opt_out set ended_at = ${at} where workspace_id = ${workspaceId} and email = ${email}
        and ended_at is null`,
  )
}

/** What became of a delivery at one recipient, by folded address. */
export interface Receipt {
  email: string
  state: 'sending' | 'accepted' | 'refused'
  /** Of one that is being sent: until then by somebody else. */
  leasedUntil: Date | null
}

export async function readReceipts(reader: Reader, workspaceId: Uuid, deliveryId: Uuid): Promise<Receipt[]> {
  return reader.query<Receipt>(
    sql`select email, state, leased_until as "leasedUntil" from email_receipt where workspace_id = ${workspaceId}
        and delivery_id = ${deliveryId}`,
  )
}

/** Which mails a process sends. */
export interface MailLease {
  workspaceId: Uuid
  deliveryId: Uuid
  /** Until then they are its own. */
  leasedUntil: Date
}

/** Marks the mails of a delivery to these folded addresses as being sent. */
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

/** Writes down that the mail server took, or refused for good, what was sent to a folded address. */
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

/** The mail to a folded address was not taken, and may be sent again. */
export async function releaseMail(
  tx: Transaction,
  { workspaceId, deliveryId, leasedUntil }: MailLease,
  email: string,
): Promise<void> {
  await tx.query(sql`
    delete from email_receipt where workspace_id = ${workspaceId} and delivery_id = ${deliveryId} and email = ${email}
    and state = 'sending' and leased_until = ${leasedUntil}`)
}

/**
 * Frees every mail that somebody is sending. Only for a process that knows itself to be the only one: what its
 * predecessor had in hand is nobody's.
 */
export async function releaseAllMails(tx: Transaction): Promise<void> {
  await tx.query(sql`delete from email_receipt where state = 'sending'`)
}

/** Whether a delivery repeats another one. A test is no delivery. */
export async function isReplay(reader: Reader, workspaceId: Uuid, deliveryId: Uuid): Promise<boolean> {
  const rows = await reader.query(
    sql`select 1 from delivery where workspace_id = ${workspaceId} and id = ${deliveryId} and replay_of is not null`,
  )
  return rows.length > 0
}

/** One of the mails that are limited. */
export interface CountedMail {
  workspaceId: Uuid
  channelId: Uuid
  deliveryId: Uuid
  kind: 'mention' | 'test'
}

/**
 * Counts a mail of a channel against the most that it may send within any hour; false, and nothing is counted, when it
 * has sent them. A delivery counts once an hour, however often it is tried. The caller holds the channel, so that of
 * two at once none overlooks the other.
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

/** The mentions whose deliveries these channels hold for this reason. */
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

/** Cancels what a channel has held of these mentions for this reason; answers how many deliveries that were. */
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
  return rows.length
}

/** Counts requests to confirm; those that are over count no more. */
export interface ConfirmationCounts {
  ofWorkspace: number
  /** By mailbox, with the moment when the first of them counts no longer. */
  ofMailbox: Map<string, { mails: number; until: Date }>
}

/** Of several callers at once none overlooks what the others ask: they take turns, by workspace and by mailbox. */
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

/** Whether a channel holds an older mail than this one back for the hour: that goes first. */
export async function holdsOlder(
  reader: Reader,
  { workspaceId, channelId, deliveryId }: Pick<CountedMail, 'workspaceId' | 'channelId' | 'deliveryId'>,
): Promise<boolean> {
  const rows = await reader.query(sql`
    select from delivery_held where waits_for = 'email_hourly_limit' and workspace_id = ${workspaceId}
      and channel_id = ${channelId} and delivery_id < ${deliveryId} limit 1`)
  return rows.length > 0
}

/**
 * Whether one of these folded addresses has had as many mails of the workspace within the hour, through whichever
 * channels.
 */
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

/**
 * Puts what the hourly limit holds back into the queue, as far as a channel has room for by now and the oldest first;
 * answers how many mails that were.
 */
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
