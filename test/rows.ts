import type { DeliveryStatus } from '../src/domain/delivery/status.ts'
import type { Role } from '../src/domain/member/member.ts'
import { MENTION_STATUSES, type MentionStatus } from '../src/domain/mention/status.ts'
import type { Platform } from '../src/domain/platform/platforms.ts'
import { platformNumber } from '../src/domain/platform/platforms.ts'
import { newUuid, type Uuid } from '../src/kernel/ids.ts'
import { type Reader, sql } from '../src/store/database.ts'

/**
 * States that no command brings about, or only after a long time, made behind the service. Outside the store's own
 * tests this is where tests know tables. Everything takes what has a database: a world or a workspace.
 */
interface WithDatabase {
  db: Reader
}

type Change = Readonly<Record<string, unknown>>

export interface KeywordChange {
  muted?: boolean
  pausedForBalance?: boolean
  pausedForNoise?: boolean
  pausedForCap?: boolean
  /** Changes the folded term as well. */
  term?: string
  caseSensitive?: boolean
  excludedTerms?: string[]
  excludedAuthorKeys?: string[]
  createdAt?: Date
  judgedSince?: Date
  groupId?: Uuid
}

export function changeKeyword({ db }: WithDatabase, id: Uuid, change: KeywordChange): Promise<void> {
  return update(db, 'keyword', { id }, keywordColumns(change))
}

export function changeKeywords({ db }: WithDatabase, workspaceId: Uuid, change: KeywordChange): Promise<void> {
  return update(db, 'keyword', { workspaceId }, keywordColumns(change))
}

function keywordColumns(change: KeywordChange): Change {
  return change.term === undefined ? { ...change } : { ...change, termFolded: change.term.toLowerCase() }
}

export interface WalletChange {
  /** Thirtieths of a cent. */
  balanceUnits?: number
  lastCreditUnits?: number
  welcomeLimits?: boolean
  settledThrough?: Date | string
  createdAt?: Date | string
  name?: string
}

/** Changes a workspace and its wallet, and leaves the ledger as it is. */
export function changeWallet({ db }: WithDatabase, workspaceId: Uuid, change: WalletChange): Promise<void> {
  return update(db, 'workspace', { id: workspaceId }, { ...change })
}

/** Takes the limits of the welcome credit off every workspace: 200 mentions, and a brake for noisy keywords. */
export async function liftWelcomeLimits({ db }: WithDatabase): Promise<void> {
  await db.query(sql`update workspace set welcome_limits = false`)
}

export interface MentionChange {
  status?: MentionStatus
  assigneeId?: Uuid | null
  snoozedUntil?: Date | null
  triageNote?: string | null
}

export function changeMention({ db }: WithDatabase, id: Uuid, { status, ...change }: MentionChange): Promise<void> {
  const columns = status === undefined ? change : { ...change, status: MENTION_STATUSES.indexOf(status) }
  return update(db, 'mention', { id }, { ...columns })
}

export interface UserChange {
  name?: string
  /** Changes the folded address as well. */
  email?: string
  emailConfirmedAt?: Date | null
  passwordHash?: string | null
}

/** Changes one person, or everybody when `who` is empty. */
export function changeUser(
  { db }: WithDatabase,
  who: { id?: Uuid; email?: string },
  change: UserChange,
): Promise<void> {
  const columns = change.email === undefined ? change : { ...change, emailFolded: change.email.toLowerCase() }
  return update(db, 'user_account', who, { ...columns })
}

export interface SessionChange {
  workspaceId?: Uuid | null
  expiresAt?: Date
}

/** Changes the sessions of a person, the session of a hash, or every session. */
export function changeSessions(
  { db }: WithDatabase,
  whose: { userId?: Uuid; hash?: Buffer },
  change: SessionChange,
): Promise<void> {
  return update(db, 'user_session', whose, { ...change })
}

export interface DeliveryChange {
  status?: DeliveryStatus
  error?: string | null
  attempts?: number
}

/** Changes one delivery, those of a workspace, or all. */
export function changeDeliveries(
  { db }: WithDatabase,
  which: { id?: Uuid; workspaceId?: Uuid },
  change: DeliveryChange,
): Promise<void> {
  return update(db, 'delivery', which, { ...change })
}

export function changeChannel({ db }: WithDatabase, id: Uuid, change: { enabled?: boolean }): Promise<void> {
  return update(db, 'channel', { id }, { ...change })
}

/** Takes somebody out of a workspace, or out of every workspace, without what else leaving does. */
export async function removeMembership(
  { db }: WithDatabase,
  whose: { workspaceId?: Uuid; userId: Uuid },
): Promise<void> {
  await db.query(sql`delete from membership where ${matching({ ...whose })}`)
}

const EMPTIED = [
  'account_mail',
  'alert',
  'attention_look',
  'author_identity',
  'billing_customer',
  'billing_profile',
  'delivery_queue',
  'keyword',
  'keyword_change',
  'mention',
  'membership',
  'oauth_client',
  'oauth_grant',
  'score_queue',
  'user_account',
  'workspace_filters',
] as const

/** Deletes all rows of tables, in the order in which they are named. */
export async function empty({ db }: WithDatabase, ...tables: (typeof EMPTIED)[number][]): Promise<void> {
  for (const table of tables) await db.query(sql`delete from ${sql.table(table)}`)
}

export interface UsageDay {
  workspaceId: Uuid
  /** YYYY-MM-DD, UTC. */
  day: string
  keywordId?: Uuid
  platform?: Platform
  matched?: number
  /** Every scored mention is billed. */
  scored?: number
  /** Thirtieths of a cent; 24 for each scored mention unless told otherwise. */
  mentionUnits?: number
}

/** A day's usage of a keyword on a platform, without its mentions. */
export async function makeUsageDay({ db }: WithDatabase, used: UsageDay): Promise<void> {
  const { workspaceId, day, keywordId = newUuid(new Date()), platform = 'bluesky', scored = 0 } = used
  const { matched = scored, mentionUnits = scored * 24 } = used
  await db.query(sql`
    insert into usage_day (workspace_id, day, keyword_id, platform, matched, scored, billable, mention_units)
    values (${workspaceId}, ${day}::date, ${keywordId}, ${platformNumber(platform)}, ${matched}, ${scored}, ${scored},
      ${mentionUnits})`)
}

/** The charge for a keyword that ran on a day, 500 units, without the ledger's entry. */
export async function makeKeywordDay(
  { db }: WithDatabase,
  workspaceId: Uuid,
  keywordId: Uuid,
  day: string,
): Promise<void> {
  await db.query(sql`
    insert into keyword_day (workspace_id, day, keyword_id, units)
    values (${workspaceId}, ${day}::date, ${keywordId}, 500)`)
}

export interface AuthorOptions {
  tags?: string[]
  muted?: boolean
  /** Their accounts by platform; one on Bluesky with the person's id unless told otherwise. */
  accounts?: { id: Uuid; platform: Platform }[]
}

/** Somebody who writes, with what a team noted of them. Made again, the tags are replaced. */
export async function makeAuthor(
  { db }: WithDatabase,
  workspaceId: Uuid,
  id: Uuid,
  { tags = [], muted = false, accounts = [{ id, platform: 'bluesky' }] }: AuthorOptions,
): Promise<void> {
  await db.query(sql`
    insert into person (workspace_id, id, tags, muted) values (${workspaceId}, ${id}, ${tags}::text[], ${muted})
    on conflict (workspace_id, id) do update set tags = excluded.tags, muted = excluded.muted`)
  for (const account of accounts)
    await db.query(sql`
      insert into account (workspace_id, id, person_id, platform)
      values (${workspaceId}, ${account.id}, ${id}, ${platformNumber(account.platform)})
      on conflict (workspace_id, id) do update set person_id = excluded.person_id`)
}

export interface DeliveryOptions {
  id?: Uuid
  kind?: 'mention' | 'event'
  event?: string
  status?: string
  attempts?: number
  alertId?: Uuid | null
  mentionId?: Uuid | null
  error?: string | null
  at: Date
  sentAt?: Date | null
  /** Puts it into the queue, due at once, so that the delivery stage sends it. */
  queued?: boolean
}

/** A delivery in the log of a channel, as sending leaves it. */
export async function makeDelivery(
  { db }: WithDatabase,
  workspaceId: Uuid,
  channelId: Uuid,
  options: DeliveryOptions,
): Promise<Uuid> {
  const { at, id = newUuid(at), kind = 'event', event = 'wallet.low', status = 'pending', attempts = 0 } = options
  const { alertId = null, mentionId = null, error = null, sentAt = null, queued = false } = options
  await db.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, mention_id, data, status, attempts,
      error, created_at, sent_at)
    values (${workspaceId}, ${id}, ${channelId}, ${kind}, ${event}, ${alertId}, ${mentionId},
      ${kind === 'event' ? '{}' : null}::json, ${status}, ${attempts}, ${error}, ${at}, ${sentAt})`)
  if (status === 'failed' || status === 'cancelled')
    await db.query(sql`
      insert into delivery_unaccepted (workspace_id, status, delivery_id) values (${workspaceId}, ${status}, ${id})`)
  if (queued)
    await db.query(sql`
      insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
      values (${workspaceId}, ${id}, ${channelId}, ${at})`)
  return id
}

export interface AttentionOptions {
  kind: string
  /** What it is about; nothing that exists unless told otherwise. */
  subjectId?: Uuid
  data: unknown
  at: Date
  resolved?: boolean
  dismissed?: boolean
}

/** An attention item, as the hourly check leaves it. */
export async function makeAttentionItem(
  { db }: WithDatabase,
  workspaceId: Uuid,
  { kind, subjectId, data, at, resolved = false, dismissed = false }: AttentionOptions,
): Promise<Uuid> {
  const id = newUuid(at)
  await db.query(sql`
    insert into attention_item (workspace_id, id, kind, subject_id, data, opened_at, resolved_at, dismissed_at)
    values (${workspaceId}, ${id}, ${kind}, ${subjectId ?? newUuid(at)}, ${JSON.stringify(data)}::json, ${at},
      ${resolved ? at : null}, ${dismissed ? at : null})`)
  return id
}

/** What a platform has used of a quota on the day (UTC). */
export async function makeSpending(
  { db }: WithDatabase,
  { platform, quota, spent, at }: { platform: Platform; quota: string; spent: number; at: Date },
): Promise<void> {
  await db.query(sql`
    insert into source_quota (platform, quota, day, spent) values (${platform}, ${quota}, ${at}::date, ${spent})
    on conflict (platform, quota) do update set day = excluded.day, spent = excluded.spent`)
}

export async function makeMembership(
  { db }: WithDatabase,
  workspaceId: Uuid,
  userId: Uuid,
  { role, at }: { role: Role; at: Date },
): Promise<void> {
  await db.query(sql`
    insert into membership (workspace_id, id, user_id, role, joined_at)
    values (${workspaceId}, ${newUuid(at)}, ${userId}, ${role}, ${at})`)
}

/** Nothing matches everything. */
async function update(db: Reader, table: string, which: Change, change: Change): Promise<void> {
  const sets = assignments(change)
  const where = Object.values(which).some((value) => value !== undefined) ? sql`where ${matching(which)}` : sql``
  await db.query(sql`update ${sql.table(table)} set ${sql.join(sets)} ${where}`)
}

function assignments(change: Change) {
  return Object.entries(change).map(([name, value]) => sql`${sql.ref(columnOf(name))} = ${value}`)
}

function matching(which: Change) {
  const given = Object.entries(which).filter(([, value]) => value !== undefined)
  return sql.join(
    given.map(([name, value]) => sql`${sql.ref(columnOf(name))} = ${value}`),
    sql` and `,
  )
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
