import { type AccountEvent, MAILED_EVENTS, type MailedEvent } from '../../domain/attention/account-events.ts'
import { DAY_MS, plus } from '../../kernel/clock.ts'
import { groupBy } from '../../kernel/group.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../announcements.ts'
import { sql, type Transaction } from '../database.ts'
import { notifyFollowers } from '../follower/followers.ts'
import { thawed } from '../frozen/frozen.ts'
import { GivenRows, given } from '../given-rows.ts'

export interface RecordedEvent {
  workspaceId: Uuid
  event: AccountEvent
  at: Date
  data: Record<string, unknown>
}

const DELIVERIES = new GivenRows<RecordedEvent & { id: Uuid; channelId: Uuid }>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ id }) => id),
  channel_id: given.uuid(({ channelId }) => channelId),
  at: given.instant(({ at }) => at),
  event: given.text(({ event }) => event),
  data: given.writtenJson(({ data }) => data),
})

/**
 * In the transaction of the change. Sent at least once; a channel's deliveries start in this order unless one is
 * retried, and a closing event waits for the others (see `putOffFollowers`).
 */
export async function recordAccountEvents(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
  if (events.length === 0) return
  await noteForOwners(tx, events)
  const channels = await tx.query<{ workspace_id: Uuid; id: Uuid; events: string[] }>(
    // Removing a channel before its delivery is recorded would roll back the reported change.
    sql`select workspace_id, id, events from channel
        where workspace_id = any(${[...new Set(events.map(({ workspaceId }) => workspaceId))]}::uuid[]) and enabled
      and events && ${[...new Set(events.map(({ event }) => event))]}::text[] order by workspace_id, id for key share`,
  )
  const byWorkspace = groupBy(channels, (channel) => channel.workspace_id)
  const deliveries = events.flatMap((event) =>
    (byWorkspace.get(event.workspaceId) ?? [])
      .filter((channel) => channel.events.includes(event.event))
      .map(({ id }) => ({ ...event, id: newUuid(event.at), channelId: id })),
  )
  if (deliveries.length === 0) return
  await tx.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, data, status, created_at)
    select workspace_id, id, channel_id, 'event', event, data, 'pending', at
    from ${DELIVERIES.of(deliveries)}`)
  // A microsecond apart, because the queue is sorted by due time.
  await tx.query(sql`
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
    select workspace_id, id, channel_id, at - (row_number() over (partition by channel_id
      order by place desc) - 1) * interval '1 microsecond'
    from ${DELIVERIES.placedOf(deliveries)}`)
  await announceWork(tx, 'deliveries')
  await notifyFollowers(tx, 'delivery.changed', deliveries)
}

export interface OwnerNotice {
  workspaceId: Uuid
  id: Uuid
  event: MailedEvent
  data: Record<string, unknown>
}

const NOTED = new GivenRows<RecordedEvent>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ at }) => newUuid(at)),
  event: given.text(({ event }) => event),
  data: given.writtenJson(({ data }) => data),
  at: given.instant(({ at }) => at),
})

async function noteForOwners(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
  const noted = events.filter(({ event }) => MAILED_EVENTS.some((item) => item === event))
  if (noted.length === 0) return
  await tx.query(sql`
    insert into owner_notice (workspace_id, id, event, data, created_at)
    select workspace_id, id, event, data, at
    from ${NOTED.of(noted)}`)
}

export const CAPPED_NOTICE_EVERY_MS = DAY_MS

/** Two takers at once would both mail a workspace about capped keywords. */
export async function lockNotices(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('owner notices', 0))`)
}

/** Returns how many waited in vain for a mail server. */
export async function forgetNotices(tx: Transaction, at: Date): Promise<number> {
  const before = plus(at, -NOTICE_KEPT_MS)
  const gone = await tx.query<{ waited: boolean }>(sql`
    delete from owner_notice where created_at <= ${before} and (mailed_at is null or mailed_at <= ${before})
      returning mailed_at is null as waited`)
  return gone.filter(({ waited }) => waited).length
}

const NOTICE_KEPT_MS = DAY_MS

/** Skips locked notices. Those about capped keywords wait until the workspace's last such mail is a day old. */
export async function takeNotices(tx: Transaction, at: Date, limit: number): Promise<OwnerNotice[]> {
  const since = plus(at, -CAPPED_NOTICE_EVERY_MS)
  await tx.query(sql`delete from owner_notice where mailed_at <= ${since}`)
  return await tx.query<OwnerNotice>(sql`
    with ripe as materialized (
      select workspace_id, id from owner_notice n where mailed_at is null
        and ${thawed(sql`n.workspace_id`)}
        and (event <> 'keyword.capped' or not exists (select from owner_notice m where m.workspace_id = n.workspace_id
          and m.mailed_at > ${since}))
      order by workspace_id, id limit ${limit} for update skip locked)
    update owner_notice n set mailed_at = ${at} from ripe where n.workspace_id = ripe.workspace_id and n.id = ripe.id
    returning n.workspace_id as "workspaceId", n.id, n.event, n.data`)
}

export async function dropNotices(tx: Transaction, notices: readonly OwnerNotice[]): Promise<void> {
  if (notices.length === 0) return
  await tx.query(sql`
    delete from owner_notice n using unnest(${notices.map((notice) => notice.workspaceId)}::uuid[],
      ${notices.map((notice) => notice.id)}::uuid[]) as t (workspace_id, id)
    where n.workspace_id = t.workspace_id and n.id = t.id`)
}
