import { beforeEach, describe, expect, test } from 'vitest'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { World } from '../../../test/world.ts'
import { newDelivery, step } from '../../domain/delivery/lifecycle.ts'
import { HOUR_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { sql } from '../database.ts'
import { claimDeliveries } from './delivery-claims.ts'
import { rotateOutbox } from './outbox.ts'
import { settleDeliveries } from './settle-deliveries.ts'

let start: Date
const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  start = world.clock.now()
})

/** Held deliveries in so many channels in turn; answers their ids, oldest first. */
async function waiting(count: number, channels = 5, db: Pick<World['db'], 'query'> = world.db): Promise<Uuid[]> {
  const ids = Array.from({ length: count }, () => newUuid(start))
  const channelIds = ids.map((_, at) => `00000000-0000-4000-8000-00000000000${at % channels}`)
  await db.query(sql`
    with t as (select * from unnest(${ids}::uuid[], ${channelIds}::uuid[]) as t (id, channel_id)),
    made as (insert into delivery (workspace_id, id, channel_id, kind, event, status, created_at)
      select ${acme.workspaceId}, id, channel_id, 'mention', 'x', 'pending', ${start} from t)
    insert into delivery_queue (workspace_id, delivery_id, channel_id, due_at)
      select ${acme.workspaceId}, id, channel_id, ${start} from t`)
  return ids
}

const claim = async (limit = 1000) =>
  (
    await claimDeliveries(world.db, {
      at: plus(start, SECOND_MS),
      leasedUntil: plus(start, HOUR_MS),
      limit,
      exceptChannels: [],
      perChannel: limit,
      after: null,
    })
  ).deliveries

async function settle(ids: readonly Uuid[]): Promise<void> {
  const next = step(
    newDelivery({ mode: 'instant' }, start),
    { kind: 'accepted', responseStatus: 200 },
    { jitter: 0, channelEnabled: true, oversized: false, hasReplay: false },
    start,
  )
  if (next.kind !== 'moved') throw new Error('an accepted delivery did not move')
  const { state } = next
  await world.db.transaction((tx) =>
    settleDeliveries(
      tx,
      ids.map((deliveryId) => ({
        workspaceId: acme.workspaceId,
        deliveryId,
        mentionId: null,
        state,
        leasedUntil: plus(start, HOUR_MS),
        attempt: null,
      })),
    ),
  )
}

/** Everything at once comes and goes. */
async function passThrough(count: number): Promise<void> {
  const ids = await waiting(count)
  await settle(ids)
}

interface Part {
  era: number
  current: boolean
  open: boolean
  bytes: number
  rows: number
}

async function parts(): Promise<Part[]> {
  const eras = await world.db.query<Part>(sql`
    select era, current, open, pg_relation_size(('delivery_queue_' || era)::regclass) as bytes from delivery_era
      order by era`)
  const counts = await world.db.query<{ era: number; n: number }>(
    sql`select era, count(*) as n from delivery_queue group by era`,
  )
  return eras.map((part) => ({ ...part, rows: counts.find(({ era }) => era === part.era)?.n ?? 0 }))
}

const turn = () => rotateOutbox(world.db, { turnAtBytes: 65_536 })

/** A connection that holds a snapshot, or what else its first statement takes, until it is told to let go. */
async function holding(statement: string): Promise<() => Promise<void>> {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let begun: () => void = () => undefined
  const ready = new Promise<void>((resolve) => {
    begun = resolve
  })
  const ended = world.db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read`)
    await tx.query(sql.raw(statement) as never)
    begun()
    await held
  })
  await ready
  return async () => {
    letGo()
    await ended
  }
}

describe('the outbox', () => {
  test('stays where it is while it is small or full of what waits', async () => {
    await passThrough(10)
    await rotateOutbox(world.db)
    expect((await parts()).filter(({ current }) => current)).toMatchObject([{ era: 0 }])
    await waiting(500)
    await turn()
    expect((await parts()).filter(({ current }) => current)).toMatchObject([{ era: 0, rows: 500 }])
  })

  test('goes on in an empty part, moves what is left there and truncates the old one', async () => {
    await passThrough(2000)
    const left = await waiting(20)
    await turn()
    const fresh = await waiting(5)
    expect(await parts()).toMatchObject([
      { rows: 20, current: false, open: true },
      { rows: 5, current: true, open: true },
      {},
      {},
    ])
    await turn()
    expect(await parts()).toMatchObject([
      { bytes: 0, open: false },
      { rows: 25, current: true },
      { bytes: 0 },
      { bytes: 0 },
    ])
    expect((await claim()).map(({ deliveryId }) => deliveryId).sort()).toEqual([...left, ...fresh].sort())
  })

  test('does not grow while somebody holds a snapshot for long', async () => {
    const release = await holding('select count(*) from workspace')
    const sizes: number[] = []
    for (let round = 0; round < 8; round += 1) {
      await passThrough(1000)
      await turn()
      sizes.push((await parts()).reduce((sum, { bytes }) => sum + bytes, 0))
    }
    await release()
    // What one round leaves behind, and what the round before it left.
    expect(Math.max(...sizes.slice(2))).toBeLessThanOrEqual(2 * sizes[0]! + 8192)
  })

  test('is claimed from in its present part only while somebody reads the others for long, and all are emptied afterwards', async () => {
    await passThrough(1000)
    const release = await holding('select count(*) from delivery_queue')
    await waiting(20)
    await turn()
    await turn()
    expect(await parts()).toMatchObject([{ open: false, rows: 0 }, { current: true, rows: 20 }, {}, {}])
    expect((await parts())[0]!.bytes).toBeGreaterThan(0)
    expect(await claim()).toHaveLength(20)
    await release()
    await turn()
    expect((await parts())[0]).toMatchObject({ bytes: 0, open: false })
  })

  test('finds a delivery whose transaction began before the turns and ends after them', async () => {
    await passThrough(1000)
    let late: Uuid[] = []
    await world.db.transaction(async (tx) => {
      late = await waiting(3, 1, tx)
      await turn()
      await turn()
      await turn()
    })
    expect((await claim()).map(({ deliveryId }) => deliveryId).sort()).toEqual([...late].sort())
    await settle(late)
    await turn()
    expect(await world.db.query(sql`select 1 from delivery_queue`)).toEqual([])
  })

  test('loses and doubles nothing while several claim, settle and turn it at once', async () => {
    const wanted = new Set<Uuid>()
    const taken: Uuid[] = []
    let writing = true
    const write = async () => {
      for (let round = 0; round < 12; round += 1) for (const id of await waiting(60)) wanted.add(id)
      writing = false
    }
    const work = async () => {
      while (writing || taken.length < wanted.size) {
        const ids = (await claim(37)).map(({ deliveryId }) => deliveryId)
        taken.push(...ids)
        if (ids.length > 0) await settle(ids)
      }
    }
    const turning = async () => {
      while (writing || taken.length < wanted.size) await rotateOutbox(world.db, { turnAtBytes: 0 })
    }
    await Promise.all([write(), work(), work(), turning(), turning()])
    expect(taken).toHaveLength(wanted.size)
    expect(new Set(taken)).toEqual(wanted)
    expect(await world.db.query(sql`select 1 from delivery_queue`)).toEqual([])
    expect(await world.db.query(sql`select 1 from delivery where status <> 'delivered'`)).toEqual([])
  })
})
