import type { Uuid } from '../../kernel/ids.ts'
import type { Database, Reader, Transaction } from '../database.ts'
import { GivenValues } from '../given-rows.ts'
import type { ClaimedDelivery } from './due-deliveries.ts'
import { alongIndexes, throughIndexes } from './outbox.ts'
import { BEFORE_ALL } from './prune-deliveries.ts'

export interface DeliveryClaim {
  at: Date
  leasedUntil: Date
  limit: number
  /** Channels without capacity; their deliveries stay and do not delay others. */
  exceptChannels: readonly Uuid[]
  /** Workspaces with as much in flight as they may have. */
  exceptWorkspaces?: readonly Uuid[]
  /** A backlog must not fill the claim. */
  perChannel: number
  /** Channels that need one delivery at a time. */
  slowChannels?: readonly Uuid[]
  /** Null begins with the first channel. */
  after: Uuid | null
}

export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** Null after the last channel. */
  next: Uuid | null
  /** Channels skipped because of their workspace: deliveries may be due for them. */
  passedOver: Uuid[]
}

/** Channels per claim, so that a claim is short however many wait for retries. */
const CHANNELS_PER_CLAIM = 1000
const FREED_MAX = 1000

/**
 * Round-robin over channels in order of id, oldest first within one, so that no backlog delays others. An index of rows
 * not in flight finds the next channel at the same cost for any backlog. Skips closed partitions.
 */
export async function claimDeliveries(db: Database, claim: DeliveryClaim): Promise<Claimed> {
  // A row that moves to another partition fails the statement, and the transaction repeats it.
  return await db.transaction(async (tx) => {
    await alongIndexes(tx)
    const eras = await openEras(tx)
    await freeEnded(tx, claim.at, eras)
    return await claimFree(tx, claim, eras)
  })
}

/** Repeated up to ERAS values: the server prunes partitions by a list of single values. */
async function openEras(reader: Reader): Promise<readonly number[]> {
  const rows = await reader.run<{ era: number }>(
    'open-eras',
    'select era from delivery_era where open order by era',
    [],
  )
  const eras = rows.map((row) => row.era)
  return Array.from({ length: ERAS }, (_, at) => eras[at] ?? eras[0]!)
}

const ERAS = 4
/** The first parameters of each statement. */
const OPEN = new GivenValues(['first', 'second', 'third', 'fourth'])
const IN_OPEN = `in (${OPEN.the.first}, ${OPEN.the.second}, ${OPEN.the.third}, ${OPEN.the.fourth})`

const ENDED = new GivenValues(['at'], OPEN.after)

async function freeEnded(tx: Transaction, at: Date, eras: readonly number[]): Promise<void> {
  await tx.run(
    'free-ended-leases',
    `update delivery_queue q set leased_until = null from (
       select workspace_id, delivery_id, era from delivery_queue
         where leased_until <= ${ENDED.the.at} and era ${IN_OPEN}
         order by leased_until limit ${FREED_MAX} for update skip locked) t
     where q.workspace_id = t.workspace_id and q.delivery_id = t.delivery_id and q.era = t.era`,
    [...eras, ...ENDED.values({ at })],
  )
}

const CLAIM = new GivenValues(
  ['at', 'leasedUntil', 'limit', 'exceptChannels', 'exceptWorkspaces', 'perChannel', 'slowChannels', 'after', 'turns'],
  OPEN.after,
)

async function claimFree(tx: Transaction, claim: DeliveryClaim, eras: readonly number[]): Promise<Claimed> {
  const [row] = await tx.run<{
    looked: number
    last: Uuid | null
    passed_over: Uuid[]
    taken: { workspaceId: Uuid; deliveryId: Uuid; channelId: Uuid }[]
  }>(
    'claim-deliveries',
    `with recursive lane (channel_id, workspace_id, place) as (
       (select channel_id, workspace_id, 1 from delivery_queue
         where leased_until is null and channel_id > ${CLAIM.the.after} and era ${IN_OPEN} order by channel_id limit 1)
       union all
       select next.channel_id, next.workspace_id, lane.place + 1 from lane cross join lateral (
         select q.channel_id, q.workspace_id from delivery_queue q
           where q.leased_until is null and q.channel_id > lane.channel_id and q.era ${IN_OPEN}
           order by q.channel_id limit 1) next
       where lane.place < ${CLAIM.the.turns}),
     chosen as materialized (
       select free.workspace_id, free.delivery_id, free.era from (select channel_id from lane
         where channel_id <> all(${CLAIM.the.exceptChannels}::uuid[])
           and workspace_id <> all(${CLAIM.the.exceptWorkspaces}::uuid[])
         order by place) turn
       cross join lateral (
         select q.workspace_id, q.delivery_id, q.era from delivery_queue q
         where q.leased_until is null and q.channel_id = turn.channel_id and q.due_at <= ${CLAIM.the.at}
           and q.era ${IN_OPEN}
         order by q.channel_id, q.due_at limit case when turn.channel_id = any(${CLAIM.the.slowChannels}::uuid[]) then 1
           else ${CLAIM.the.perChannel}::int end for update skip locked) free
       limit ${CLAIM.the.limit}),
     taken as (
       update delivery_queue q set leased_until = ${CLAIM.the.leasedUntil} from chosen
       where q.workspace_id = chosen.workspace_id and q.delivery_id = chosen.delivery_id and q.era = chosen.era
       returning q.workspace_id, q.delivery_id, q.channel_id)
     select (select count(*) from lane) as looked, (select channel_id from lane order by place desc limit 1) as last,
       (select coalesce(jsonb_agg(channel_id), '[]') from lane
         where workspace_id = any(${CLAIM.the.exceptWorkspaces}::uuid[])) as passed_over,
       (select coalesce(jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'deliveryId', delivery_id,
         'channelId', channel_id) order by channel_id), '[]') from taken) as taken`,
    [
      ...eras,
      ...CLAIM.values({
        ...claim,
        after: claim.after ?? BEFORE_ALL,
        exceptWorkspaces: claim.exceptWorkspaces ?? [],
        slowChannels: claim.slowChannels ?? [],
        turns: CHANNELS_PER_CLAIM,
      }),
    ],
  )
  const { looked, last, taken, passed_over: passedOver } = row!
  if (taken.length === claim.limit) return { deliveries: taken, next: taken.at(-1)!.channelId, passedOver }
  return { deliveries: taken, next: looked < CHANNELS_PER_CLAIM ? null : last, passedOver }
}

export async function nextDeliveryDue(reader: Reader): Promise<Date | null> {
  const eras = await openEras(reader)
  const rows = await reader.run<{ due: Date | null }>(
    'next-delivery-due',
    `select least(
       (select due_at from delivery_queue where leased_until is null and era ${IN_OPEN} order by due_at
         limit 1),
       (select leased_until from delivery_queue where leased_until is not null and era ${IN_OPEN}
         order by leased_until limit 1)) as due`,
    eras,
  )
  return rows[0]?.due ?? null
}

/**
 * A row that another process claimed after the lease ended stays with it, or a delivery in flight would be sent twice.
 */
export async function releaseDeliveries(
  db: Database,
  claimed: readonly (ClaimedDelivery & { leasedUntil: Date })[],
): Promise<void> {
  if (claimed.length === 0) return
  await db.transaction(async (tx) => {
    await throughIndexes(tx)
    await tx.run(
      'release-deliveries',
      `with own as materialized (
         select q.workspace_id, q.delivery_id, q.era
           from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as t (workspace_id, id, lease)
         join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id and q.leased_until = t.lease
           order by q.delivery_id for update of q)
       update delivery_queue q set leased_until = null from own where q.workspace_id = own.workspace_id
         and q.delivery_id = own.delivery_id and q.era = own.era`,
      [
        claimed.map((item) => item.workspaceId),
        claimed.map((item) => item.deliveryId),
        claimed.map((item) => item.leasedUntil),
      ],
    )
  })
}

/** Removes finished deliveries and those without a channel from the queue. */
export async function dropUnsendable(db: Database, claimed: readonly ClaimedDelivery[]): Promise<void> {
  if (claimed.length === 0) return
  await db.transaction(async (tx) => {
    await throughIndexes(tx)
    await tx.run(
      'drop-unsendable',
      `with gone as materialized (
         select q.workspace_id, q.delivery_id, q.era from unnest($1::uuid[], $2::uuid[]) as t (workspace_id, id)
         join delivery_queue q on q.workspace_id = t.workspace_id and q.delivery_id = t.id
         where not exists (
           select from delivery d join channel c on c.workspace_id = d.workspace_id and c.id = d.channel_id
           where d.workspace_id = t.workspace_id and d.id = t.id and d.status = 'pending')
         order by q.delivery_id for update of q)
       delete from delivery_queue q using gone where q.workspace_id = gone.workspace_id
         and q.delivery_id = gone.delivery_id and q.era = gone.era`,
      [claimed.map((delivery) => delivery.workspaceId), claimed.map((delivery) => delivery.deliveryId)],
    )
  })
}
