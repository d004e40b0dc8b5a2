import type { DigestMode } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { DeliveryState } from '../../domain/delivery/lifecycle.ts'
import type { DeliveryKind, DeliveryStatus } from '../../domain/delivery/status.ts'
import { MENTION_STATUSES } from '../../domain/mention/status.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { columns } from '../columns.ts'
import type { Reader } from '../database.ts'
import { GivenRows, GivenValues, given } from '../given-rows.ts'

export interface ClaimedDelivery {
  workspaceId: Uuid
  deliveryId: Uuid
  channelId: Uuid
}

export interface SendingChannel {
  kind: ChannelKind
  enabled: boolean
  /** JSON text, so that callers can cache its parsed form. */
  settings: string
  secretSealed: string | null
}

export interface DueAlert {
  id: Uuid
  name: string
}

export interface DueDelivery extends ClaimedDelivery {
  kind: DeliveryKind
  event: string
  /** Rules that still exist; none for account events. */
  alerts: readonly DueAlert[]
  mentionId: Uuid | null
  /** Null for mentions, which are read when they are sent. */
  data: Record<string, unknown> | null
  createdAt: Date
  channel: SendingChannel
  state: DeliveryState
}

interface DueRow {
  workspace_id: Uuid
  id: Uuid
  channel_id: Uuid
  kind: DeliveryKind
  event: string
  alert_id: Uuid | null
  alert_name: string | null
  more_alerts: DueAlert[] | null
  mention_id: Uuid | null
  data: Record<string, unknown> | null
  created_at: Date
  channel_kind: ChannelKind
  enabled: boolean
  settings: string
  secret_sealed: string | null
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
  mode: DigestMode | null
  digest_due_at: Date | null
}

/** Of delivery `d`; null for most, without a lookup. */
export const MORE_ALERTS = `case when d.more_alerts is not null then (
         select jsonb_agg(jsonb_build_object('id', more.id, 'name', more.name)
           order by array_position(d.more_alerts, more.id))
         from alert more where more.workspace_id = d.workspace_id and more.id = any(d.more_alerts)) end`

export function alertsFromRow(row: {
  alert_id: Uuid | null
  alert_name: string | null
  more_alerts: readonly DueAlert[] | null
}): readonly DueAlert[] {
  const first = row.alert_id !== null && row.alert_name !== null ? [{ id: row.alert_id, name: row.alert_name }] : NONE
  return row.more_alerts === null ? first : [...first, ...row.more_alerts]
}

const NONE: readonly DueAlert[] = []

/** Skips removed deliveries. `offset 0` as in `changedSince`. */
export async function readDue(reader: Reader, claimed: readonly ClaimedDelivery[]): Promise<DueDelivery[]> {
  const rows = await reader.run<DueRow>(
    'read-due',
    `select d.workspace_id, d.id, d.channel_id, d.kind, d.event, d.alert_id, a.name as alert_name,
        ${MORE_ALERTS} as more_alerts, d.mention_id, d.data, d.created_at, c.kind as channel_kind, c.enabled,
       c.config::text as settings, c.secret_sealed, d.status, d.attempts, d.attempt_limit, d.mode, d.digest_due_at
     from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select * from delivery d where d.workspace_id = t.workspace_id and d.id = t.id offset 0) d
     cross join lateral (select * from channel c where c.workspace_id = d.workspace_id
       and c.id = d.channel_id offset 0) c
     left join lateral (select a.name from alert a where a.workspace_id = d.workspace_id
       and a.id = d.alert_id offset 0) a on true
     order by d.id`,
    [
      columns.uuids(claimed.map((delivery) => delivery.workspaceId)),
      columns.uuids(claimed.map((delivery) => delivery.deliveryId)),
    ],
  )
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    deliveryId: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    event: row.event,
    alerts: alertsFromRow(row),
    mentionId: row.mention_id,
    data: row.data,
    createdAt: row.created_at,
    channel: { kind: row.channel_kind, enabled: row.enabled, settings: row.settings, secretSealed: row.secret_sealed },
    state:
      row.mode === null
        ? instantState(row)
        : { ...instantState(row), timing: { mode: row.mode, dueAt: row.digest_due_at! } },
  }))
}

export function instantState({
  status,
  attempts,
  attempt_limit,
}: {
  status: DeliveryStatus
  attempts: number
  attempt_limit: number
}): DeliveryState {
  return {
    status,
    timing: { mode: 'instant' },
    attempts,
    attemptLimit: attempt_limit,
    nextAttemptAt: null,
    error: null,
    responseStatus: null,
    sentAt: null,
  }
}

export interface DeliveryRoute {
  channel: SendingChannel
  alertName: string | null
}

/** In the order of `wanted`; null without the channel. */
export async function readRoutes(
  reader: Reader,
  wanted: readonly Pick<DueDelivery, 'workspaceId' | 'channelId' | 'alerts'>[],
): Promise<(DeliveryRoute | null)[]> {
  const rows = await reader.run<{
    place: number
    kind: ChannelKind
    enabled: boolean
    settings: string
    secret_sealed: string | null
    name: string | null
  }>(
    'due-ways',
    `select t.place, c.kind, c.enabled, c.config::text as settings, c.secret_sealed, a.name
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as t (workspace_id, channel_id, alert_id, place)
     join channel c on c.workspace_id = t.workspace_id and c.id = t.channel_id
     left join alert a on a.workspace_id = t.workspace_id and a.id = t.alert_id`,
    [
      columns.uuids(wanted.map((item) => item.workspaceId)),
      columns.uuids(wanted.map((item) => item.channelId)),
      columns.uuids(wanted.map((item) => item.alerts[0]?.id ?? null)),
    ],
  )
  const ways: (DeliveryRoute | null)[] = wanted.map(() => null)
  for (const { place, kind, enabled, settings, secret_sealed: secretSealed, name } of rows)
    ways[place - 1] = { channel: { kind, enabled, settings, secretSealed }, alertName: name }
  return ways
}

const READ = new GivenRows<DueDelivery>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  mention_id: given.uuid(({ mentionId }) => mentionId),
  attempts: given.smallint(({ state }) => state.attempts),
  attempt_limit: given.smallint(({ state }) => state.attemptLimit),
})
const OPEN = new GivenValues(['status'], READ.after)

/**
 * Positions of deliveries not to be sent, or not as they were read: nearly always none, so little is returned. The plan
 * is cached, and `offset 0` keeps one made for small tables from scanning the whole log later.
 */
export async function changedSince(reader: Reader, read: readonly DueDelivery[]): Promise<Set<number>> {
  const rows = await reader.run<{ place: number }>(
    'due-changed',
    `select t.place from ${READ.placed}
     where not exists (
       select from delivery d where d.workspace_id = t.workspace_id and d.id = t.id and d.status = 'pending'
         and d.attempts = t.attempts and d.attempt_limit = t.attempt_limit
       offset 0)
     or (t.mention_id is not null and not exists (
       select from mention m
       where m.workspace_id = t.workspace_id and m.id = t.mention_id and m.status = ${OPEN.the.status}
         and not exists (select from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
           where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted)
       offset 0))`,
    [...READ.values(read), ...OPEN.values({ status: MENTION_STATUSES.indexOf('open') })],
  )
  return new Set(rows.map(({ place }) => place - 1))
}

/** Open mentions whose author is not muted. `offset 0` as in `changedSince`. */
export async function openMentions(
  reader: Reader,
  wanted: readonly { workspaceId: Uuid; mentionId: Uuid }[],
): Promise<Set<Uuid>> {
  if (wanted.length === 0) return new Set()
  const once = [...new Map(wanted.map((item) => [item.mentionId, item])).values()]
  const rows = await reader.run<{ id: Uuid }>(
    'open-mentions',
    `select m.id from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
     cross join lateral (select m.id from mention m where m.workspace_id = t.workspace_id and m.id = t.id
       and m.status = $3
       and not exists (select from account a join person p on p.workspace_id = a.workspace_id and p.id = a.person_id
         where a.workspace_id = m.workspace_id and a.id = m.account_id and p.muted)
       offset 0) m`,
    [
      columns.uuids(once.map((item) => item.workspaceId)),
      columns.uuids(once.map((item) => item.mentionId)),
      MENTION_STATUSES.indexOf('open'),
    ],
  )
  return new Set(rows.map((row) => row.id))
}
