import type { Topic } from '../../domain/follower/topics.ts'
import { type IdPrefix, toId, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../../store/database.ts'
import type { QueryContext } from '../reading.ts'
import type { Change } from './change.ts'
import { type DeliveryRow, deliveryChangeOf, type TriageRow, triageChangeOf } from './change-rows.ts'

export type ChangeReading = Pick<QueryContext, 'db' | 'clock' | 'workspaceId'>

/** The changes that notifications name. */
export async function readNamedChanges(reading: ChangeReading, topic: Topic, ids: readonly Uuid[]): Promise<Change[]> {
  return ids.length === 0 ? [] : await NAMED[topic](reading, ids)
}

type NamedReader = (reading: ChangeReading, ids: readonly Uuid[]) => Promise<Change[]> | Change[]

const NAMED: Readonly<Record<Topic, NamedReader>> = {
  'mention.scored': byId('mention.scored', 'mtn'),
  'mention.triaged': readTriaged,
  'delivery.changed': readDeliveries,
  'channel.changed': ({ clock }, ids) => ids.map((id) => channelChange(id, clock.now())),
  'attention.opened': byId('attention.opened', 'att'),
  'attention.resolved': byId('attention.resolved', 'att'),
  'attention.dismissed': byId('attention.dismissed', 'att'),
  'wallet.changed': ({ clock }, ids) => ids.map((id) => walletChange(id, clock.now())),
  'keyword.changed': byId('keyword.changed', 'kw'),
}

/** For changes that their ids say everything of. */
function byId(kind: Change['kind'], prefix: IdPrefix): NamedReader {
  return ({ clock }, ids) =>
    ids.map((id) => ({ kind, id: toId(prefix, id), about: {}, at: clock.now(), key: `${kind} ${id}` }))
}

async function readTriaged({ db, workspaceId }: ChangeReading, ids: readonly Uuid[]): Promise<Change[]> {
  const rows = await db.query<TriageRow>(sql`
    select id, mention_id, changed_at, actor_kind, actor_id from mention_change
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`)
  return rows.map(triageChangeOf)
}

async function readDeliveries({ db, workspaceId, clock }: ChangeReading, ids: readonly Uuid[]): Promise<Change[]> {
  const rows = await db.query<DeliveryRow>(sql`
    select id, channel_id, status, alert_id, period, replay_of from delivery
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`)
  return rows.map((row) => deliveryChangeOf(row, clock.now()))
}

/** Any delivery of the channel may have changed. */
export function channelChange(id: Uuid, at: Date): Change {
  return { kind: 'delivery.changed', id: null, about: { channelId: toId('dest', id), status: null }, at, key: null }
}

/** Without ids, because members who see the balance may not see the ledger. */
export function walletChange(entryId: Uuid, at: Date): Change {
  return { kind: 'wallet.changed', id: null, about: {}, at, key: `wallet.changed ${entryId}` }
}
