import type { DigestMode } from '../../domain/alert/mode.ts'
import type { ChannelKind } from '../../domain/channel/channel-kind.ts'
import type { DigestProgress } from '../../domain/delivery/due-digest.ts'
import { MAX_ATTEMPTS } from '../../domain/delivery/lifecycle.ts'
import type { DeliveryStatus } from '../../domain/delivery/status.ts'
import type { Uuid } from '../../kernel/ids.ts'
import { announceWork } from '../announcements.ts'
import { type Database, type Reader, sql, type Transaction } from '../database.ts'
import { notifyOfDeliveries } from '../delivery/notify-of-deliveries.ts'
import { thawed } from '../frozen/frozen.ts'
import { GivenRows, given } from '../given-rows.ts'

export interface DueRule {
  workspaceId: Uuid
  id: Uuid
  nextRunAt: Date
}

/** Round-robin over workspaces, longest due first within one, so that many rules of one do not delay the others. */
export async function readDueRules(reader: Reader, at: Date, limit: number): Promise<DueRule[]> {
  const rows = await reader.query<{ workspace_id: Uuid; id: Uuid; next_run_at: Date }>(sql`
    select workspace_id, id, next_run_at from (
      select workspace_id, id, next_run_at, row_number() over (partition by workspace_id
        order by next_run_at, id) as turn from alert where next_run_at <= ${at}
        and ${thawed(sql`workspace_id`)}) due
    order by turn, next_run_at, id limit ${limit}`)
  return rows.map((row) => ({ workspaceId: row.workspace_id, id: row.id, nextRunAt: row.next_run_at }))
}

/**
 * No effect when the run was done or changed since it was read, or while another transaction holds the rule: a
 * statement that was given up may go on for a while.
 */
export async function putOffRun(db: Database, { workspaceId, id, nextRunAt }: DueRule, until: Date): Promise<void> {
  await db.query(sql`
    with free as materialized (
      select id from alert where workspace_id = ${workspaceId} and id = ${id}
        and next_run_at = ${nextRunAt} for no key update skip locked)
    update alert a set next_run_at = ${until} from free where a.workspace_id = ${workspaceId} and a.id = free.id`)
}

/** False when the rule is no longer due, gone, or locked by another transaction. */
export async function holdDueRule(tx: Transaction, { workspaceId, id }: DueRule, at: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from alert where workspace_id = ${workspaceId} and id = ${id}
        and next_run_at <= ${at} and ${thawed(sql`workspace_id`)} for no key update skip locked`,
  )
  return rows.length > 0
}

export async function setNextRun(
  tx: Transaction,
  { workspaceId, id }: Pick<DueRule, 'workspaceId' | 'id'>,
  nextRunAt: Date,
): Promise<void> {
  await tx.query(sql`update alert set next_run_at = ${nextRunAt} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Locks the enabled channels until the transaction ends: disabling one later sees the deliveries recorded for it. */
export async function holdChannelsInUse(
  tx: Transaction,
  workspaceId: Uuid,
  ids: readonly Uuid[],
): Promise<Map<Uuid, ChannelKind>> {
  const rows = await tx.query<{ id: Uuid; kind: ChannelKind }>(
    sql`select id, kind from channel where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and enabled
        order by id for key share`,
  )
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

export async function readSentDigest(
  reader: Reader,
  workspaceId: Uuid,
  alertId: Uuid,
  period: string,
): Promise<{ matched: number; relevant: number } | null> {
  const [row] = await reader.query<{ matched: number; relevant: number }>(sql`
    select (data -> 'counts' ->> 'matched')::int as matched, (data -> 'counts' ->> 'relevant')::int as relevant
      from delivery
    where workspace_id = ${workspaceId} and alert_id = ${alertId} and period = ${period} and replay_of is null
      order by id limit 1`)
  return row ?? null
}

export interface StoredProgress extends DigestProgress {
  /** Mentions in the latest digests whose scores are only minutes old. */
  toldLast: readonly Uuid[]
}

export async function readDigestProgress(
  reader: Reader,
  workspaceId: Uuid,
  alertId: Uuid,
): Promise<StoredProgress | null> {
  const [row] = await reader.query<{ begun_at: Date; told_until: Date; matched_since: Date; told_last: Uuid[] }>(
    sql`select begun_at, told_until, matched_since, told_last from digest_progress where workspace_id = ${workspaceId}
        and alert_id = ${alertId}`,
  )
  return row
    ? { begunAt: row.begun_at, toldUntil: row.told_until, matchedSince: row.matched_since, toldLast: row.told_last }
    : null
}

export async function writeDigestProgress(
  tx: Transaction,
  workspaceId: Uuid,
  alertId: Uuid,
  progress: StoredProgress,
): Promise<void> {
  const { begunAt, toldUntil, matchedSince, toldLast } = progress
  await tx.query(sql`
    insert into digest_progress (workspace_id, alert_id, begun_at, told_until, matched_since, told_last)
    values (${workspaceId}, ${alertId}, ${begunAt}, ${toldUntil}, ${matchedSince}, ${toldLast}::uuid[])
    on conflict (workspace_id, alert_id) do update
      set begun_at = excluded.begun_at, told_until = excluded.told_until, matched_since = excluded.matched_since,
        told_last = excluded.told_last`)
}

export interface NewDigest {
  workspaceId: Uuid
  deliveryId: Uuid
  channelId: Uuid
  alertId: Uuid
  event: string
  mode: DigestMode
  period: string
  /** The attempt window starts here. */
  dueAt: Date
  data: object
}

const DIGESTS = new GivenRows<NewDigest>({
  workspace_id: given.uuid(({ workspaceId }) => workspaceId),
  id: given.uuid(({ deliveryId }) => deliveryId),
  channel_id: given.uuid(({ channelId }) => channelId),
  event: given.text(({ event }) => event),
  alert_id: given.uuid(({ alertId }) => alertId),
  data: given.writtenJson(({ data }) => data),
  mode: given.text(({ mode }) => mode),
  due_at: given.instant(({ dueAt }) => dueAt),
  period: given.text(({ period }) => period),
})

/** Fails the transaction when a channel already has the period's digest. */
export async function writeDigests(tx: Transaction, digests: readonly NewDigest[], at: Date): Promise<void> {
  if (digests.length === 0) return
  await tx.query(sql`
    insert into delivery (workspace_id, id, channel_id, kind, event, alert_id, data, status, attempt_limit, created_at,
      mode, digest_due_at, period)
    select workspace_id, id, channel_id, 'digest', event, alert_id, data, 'pending', ${MAX_ATTEMPTS}, ${at}, mode,
      due_at, period
    from ${DIGESTS.of(digests)}`)
  await tx.query(sql`
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
    select workspace_id, id, channel_id, ${at} from ${DIGESTS.of(digests)}`)
  await announceWork(tx, 'deliveries')
  await notifyOfDeliveries(tx, digests)
}

export async function readOutcomes(
  reader: Reader,
  workspaceId: Uuid,
  ids: readonly Uuid[],
): Promise<Map<Uuid, { status: DeliveryStatus; error: string | null }>> {
  const rows = await reader.query<{ id: Uuid; status: DeliveryStatus; error: string | null }>(
    sql`select id, status, error from delivery where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, status, error }) => [id, { status, error }]))
}
