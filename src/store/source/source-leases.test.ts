import { beforeAll, describe, expect, test } from 'vitest'
import { useWorld } from '../../../test/use-world.ts'
import { plus, SECOND_MS } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { Transaction } from '../database.ts'
import {
  holdLease,
  LeaseLost,
  leaveCollectors,
  releaseAllSources,
  releaseSource,
  renewLeases,
  type SourceLease,
  shareLease,
  takeSources,
} from './source-leases.ts'
import { readCursor, registerSources, saveCursor } from './source-state.ts'

const LEASE_MS = 15 * SECOND_MS
const SOURCES = ['bluesky', 'hackernews', 'reddit']

let at: Date
let first: Uuid
let second: Uuid

const world = useWorld()
beforeAll(async () => {
  at = world.clock.now()
  first = newUuid(at)
  second = newUuid(at)
  await world.db.transaction((tx) =>
    registerSources(
      tx,
      SOURCES.map((source) => ({ source, scheduled: false })),
      at,
    ),
  )
})

const take = (holder: Uuid, when: Date, limit = 3) =>
  takeSources(world.db, { holder, at: when, leasedUntil: plus(when, LEASE_MS), sources: SOURCES, limit }).then(
    (taken) => taken.sort(),
  )
const renew = async (holder: Uuid, when: Date) => {
  const { held, collectors } = await renewLeases(world.db, { holder, at: when, leasedUntil: plus(when, LEASE_MS) })
  return { held: held.sort(), collectors }
}

describe('leases of sources', () => {
  test('are had by one process at a time, for as long as it renews them', async () => {
    expect(await take(first, at, 2)).toHaveLength(2)
    expect(await take(second, at)).toHaveLength(1)
    expect(await take(second, plus(at, LEASE_MS - 1))).toEqual([])
    expect((await renew(first, plus(at, LEASE_MS - 1))).held).toHaveLength(2)
    expect(await take(second, plus(at, LEASE_MS))).toEqual([])
    expect(await take(first, plus(at, LEASE_MS))).toHaveLength(1)
    expect((await renew(second, plus(at, LEASE_MS))).held).toEqual([])
    await releaseAllSources(world.db)
  })

  test('that are over but that nobody has taken are renewed', async () => {
    await take(first, at)
    expect((await renew(first, plus(at, 10 * LEASE_MS))).held).toEqual(SOURCES)
    await releaseAllSources(world.db)
  })

  test('that are given back are free at once, and only the holder gives them back', async () => {
    await take(first, at)
    await releaseSource(world.db, { source: 'reddit', holder: second })
    expect(await take(second, at)).toEqual([])
    await releaseSource(world.db, { source: 'reddit', holder: first })
    expect(await take(second, at)).toEqual(['reddit'])
    await leaveCollectors(world.db, first)
    expect(await take(second, at)).toEqual(['bluesky', 'hackernews'])
    await releaseAllSources(world.db)
  })

  test('fence what their former holder writes', async () => {
    const write = (holder: Uuid, cursor: number) =>
      world.db.transaction(async (tx) => {
        await saveCursor(tx, 'bluesky', cursor, null, at)
        await holdLease(tx, { source: 'bluesky', holder })
      })
    await take(first, at)
    await write(first, 1)
    await take(second, plus(at, LEASE_MS))
    await expect(write(first, 2)).rejects.toThrow(LeaseLost)
    expect(await readCursor(world.db, 'bluesky')).toBe(1)
    await write(second, 3)
    expect(await readCursor(world.db, 'bluesky')).toBe(3)
    await releaseAllSources(world.db)
    await expect(write(second, 4)).rejects.toThrow('bluesky is collected by another process now')
  })

  /** A transaction that has the lease and does not end yet. */
  async function writing(hold: (tx: Transaction, lease: SourceLease) => Promise<void>) {
    const [held, written] = [new Deferred(), new Deferred()]
    const transaction = world.db.transaction(async (tx) => {
      await hold(tx, { source: 'bluesky', holder: first })
      held.resolve()
      await written.promise
    })
    await held.promise
    return async () => {
      written.resolve()
      await transaction
    }
  }

  test.each([
    ['alone', holdLease],
    ['in one of several partitions', shareLease],
  ])('are not taken while their holder is writing %s', async (_, hold) => {
    await take(first, at)
    const end = await writing(hold)
    expect(await take(second, plus(at, LEASE_MS))).toEqual(['hackernews', 'reddit'])
    await end()
    expect(await take(second, plus(at, LEASE_MS))).toEqual(['bluesky'])
    const late = world.db.transaction((tx) => hold(tx, { source: 'bluesky', holder: first }))
    await expect(late).rejects.toThrow(LeaseLost)
    await releaseAllSources(world.db)
  })

  test('are shared by the partitions of one holder, which moves their place meanwhile', async () => {
    await take(first, at)
    const ends = [await writing(shareLease), await writing(shareLease)]
    await world.db.transaction(async (tx) => {
      await holdLease(tx, { source: 'bluesky', holder: first })
      await saveCursor(tx, 'bluesky', 5, null, at)
    })
    for (const end of ends) await end()
    expect(await readCursor(world.db, 'bluesky')).toBe(5)
    await releaseAllSources(world.db)
  })
})

test('the processes that collect are counted while they say that they are alive', async () => {
  const [three, four] = [newUuid(at), newUuid(at)]
  const later = plus(at, 100 * LEASE_MS)
  expect((await renew(three, later)).collectors).toBe(1)
  expect((await renew(four, later)).collectors).toBe(2)
  expect((await renew(three, plus(later, LEASE_MS - 1))).collectors).toBe(2)
  expect((await renew(three, plus(later, LEASE_MS))).collectors).toBe(1)
  await leaveCollectors(world.db, three)
  expect((await renew(four, plus(later, LEASE_MS))).collectors).toBe(1)
  await releaseAllSources(world.db)
  expect((await renew(three, plus(later, LEASE_MS))).collectors).toBe(1)
})
