import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  eventually,
  type Pipeline,
  type PipelineOptions,
  posted,
  startPipeline,
  watched,
  whileTimePasses,
} from '../../../test/stand-ins/pipeline.ts'
import { createTape, type Tape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { type Cursor, type FeedSource, SourceFault } from '../../sources/contract.ts'
import { type Database, sql } from '../../store/database.ts'
import { readSourceStates } from '../../store/source/source-state.ts'

let tape: Tape
let pipeline: Pipeline | null

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(() => {
  tape = createTape()
  pipeline = null
})

afterEach(async () => {
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

async function run(options: PipelineOptions = {}): Promise<void> {
  pipeline = await startPipeline(world, { sources: [tape.source], ...options })
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

async function texts(): Promise<string[]> {
  return (
    await world.db.query<{ body: string }>(
      sql`select p.body from mention m join post p on p.id = m.post_id order by p.body`,
    )
  ).map(({ body }) => body)
}

async function stateOf(platform = 'bluesky') {
  return (await readSourceStates(world.db)).find(({ source }) => source === platform)
}

/** A database whose next transactions that move a cursor do their work and then fail instead of being committed. */
function failing(db: Database): Database & { fail(times: number): void } {
  let left = 0
  return {
    ...db,
    fail: (times) => {
      left = times
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        let movesCursor = false
        const result = await work({
          ...tx,
          run(name, text, values) {
            movesCursor ||= name === 'save-cursor'
            return tx.run(name, text, values)
          },
        })
        if (left === 0 || !movesCursor) return result
        left -= 1
        throw new Error('the disk is full')
      }),
  }
}

describe('the cursor', () => {
  test('stands behind what was stored, and a new start goes on from it', async () => {
    await watched(acme, 'Acme')
    await run()
    tape.add(posted(world.clock.now(), 'Acme 1'))
    await soon(async () => expect((await stateOf())?.cursor).toEqual({ batches: 1 }))
    await pipeline!.stop()
    tape.add(posted(world.clock.now(), 'Acme 2'))
    await run()
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']))
    expect(tape.opened).toEqual([null, 1])
  })

  test('does not pass a batch that could not be stored: it comes again and nothing is lost', async () => {
    await watched(acme, 'Acme')
    const db = failing(world.db)
    await run({ db })
    tape.add(posted(world.clock.now(), 'nothing'))
    await soon(async () => expect((await stateOf())?.cursor).toEqual({ batches: 1 }))
    db.fail(1)
    tape.add(posted(world.clock.now(), 'Acme 1'))
    tape.add(posted(world.clock.now(), 'Acme 2'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']), 100)
    expect(tape.opened).toEqual([null, 1])
  })

  test('is written down at most once a second while nothing matches, and at the end', async () => {
    await run()
    for (let batch = 0; batch < 20; batch += 1) tape.add(posted(world.clock.now(), 'nothing'))
    await soon(() => expect(tape.handedOver).toBe(20), 0)
    await soon(async () => expect((await stateOf())?.cursor).toEqual({ batches: 1 }), 0)
    await pipeline!.stop()
    expect((await stateOf())?.cursor).toEqual({ batches: 20 })
  })

  test('is kept with the instant of the newest post', async () => {
    await run()
    const at = world.clock.now()
    tape.add(
      posted(new Date(at.getTime() - 5000), 'older'),
      posted(new Date(at.getTime() - 2000), 'newest'),
      posted(new Date(at.getTime() - 9000), 'oldest'),
    )
    await soon(async () => expect((await stateOf())?.newestAt).toEqual(new Date(at.getTime() - 2000)))
  })
})

describe('a source that fails', () => {
  test('is noted, with its reason, and tried again from the stored place', async () => {
    await watched(acme, 'Acme')
    await run()
    tape.add(posted(world.clock.now(), 'Acme 1'))
    await soon(async () => expect((await stateOf())?.cursor).toEqual({ batches: 1 }))
    tape.breakWith(new SourceFault('unavailable', 'the feed closed the connection'))
    await soon(
      async () =>
        expect(await stateOf()).toMatchObject({
          failures: 1,
          lastError: 'unavailable: the feed closed the connection',
        }),
      0,
    )
    tape.add(posted(world.clock.now(), 'Acme 2'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']), 100)
    expect(await stateOf()).toMatchObject({ failures: 0, lastError: null })
    expect(tape.opened).toEqual([null, 1])
  })

  test('is left alone for as long as it asks', async () => {
    await run()
    tape.breakWith(new SourceFault('throttled', 'slow down', { retryAfterSeconds: 120 }))
    await soon(async () => expect(await stateOf()).toMatchObject({ failures: 1 }), 0)
    await soon(() => expect(world.clock.waits).toBeGreaterThan(0), 0)
    await world.clock.advance(119_000)
    await stateOf()
    expect(tape.opened).toHaveLength(1)
    await world.clock.advance(42_000)
    await soon(() => expect(tape.opened).toHaveLength(2), 0)
  })

  test('is asked at longer and longer intervals, up to 80 seconds, and at short ones again once it has gone well for half a minute', async () => {
    await run()
    const waitsMs = []
    for (let failures = 1; failures <= 9; failures += 1) {
      tape.breakWith(new SourceFault('unavailable', 'no'))
      await soon(async () => expect(await stateOf()).toMatchObject({ failures }), 0)
      const sinceMs = world.clock.monotonicMs()
      await soon(() => expect(tape.opened).toHaveLength(failures + 1), 500)
      waitsMs.push(world.clock.monotonicMs() - sinceMs)
    }
    expect(waitsMs[0]).toBeLessThan(5000)
    expect(waitsMs[4]).toBeGreaterThan(15_000)
    expect(Math.max(...waitsMs)).toBeLessThan(90_000)
    expect(waitsMs[8]).toBeGreaterThan(59_000)
    tape.add(posted(world.clock.now(), 'nothing'))
    await soon(() => expect(tape.handedOver).toBe(1))
    await soon(async () => expect(await stateOf()).toMatchObject({ failures: 0 }))
    await world.clock.advance(30_000)
    tape.breakWith(new SourceFault('unavailable', 'no'))
    await soon(async () => expect(await stateOf()).toMatchObject({ failures: 1 }), 0)
    const sinceMs = world.clock.monotonicMs()
    await soon(() => expect(tape.opened).toHaveLength(11), 100)
    expect(world.clock.monotonicMs() - sinceMs).toBeLessThan(4000)
  })
})

describe('a feed that is silent and breaks after a minute, each time', () => {
  test('is opened again within seconds, however often', async () => {
    await run()
    for (let times = 1; times <= 6; times += 1) {
      await world.clock.advance(60_000)
      tape.breakWith(new SourceFault('unavailable', 'no message for 60000 ms'))
      const sinceMs = world.clock.monotonicMs()
      await soon(() => expect(tape.opened).toHaveLength(times + 1), 20)
      expect(world.clock.monotonicMs() - sinceMs).toBeLessThan(4000)
    }
  })
})

describe('a feed that brings something and breaks, each time', () => {
  test('is asked at longer and longer intervals too', async () => {
    await run()
    const waitsMs = []
    for (let time = 1; time <= 6; time += 1) {
      tape.add(posted(world.clock.now(), 'nothing'))
      await soon(async () => expect((await stateOf())?.cursor).toEqual({ batches: time }), 0)
      tape.breakWith(new SourceFault('unavailable', 'no'))
      await soon(async () => expect(await stateOf()).toMatchObject({ failures: 1 }), 0)
      const sinceMs = world.clock.monotonicMs()
      await soon(() => expect(tape.opened).toHaveLength(time + 1), 250)
      waitsMs.push(world.clock.monotonicMs() - sinceMs)
    }
    expect(waitsMs[0]).toBeLessThan(5000)
    expect(waitsMs[5]).toBeGreaterThan(30_000)
  })
})

describe('a source that is asked again and again', () => {
  test('is asked at its interval, goes on from its cursor, and its empty polls are counted', async () => {
    await watched(acme, 'Acme')
    const asked: (Cursor | null)[] = []
    const replies = [['Acme 1'], [], ['Acme 2']]
    const polled: FeedSource = {
      platform: 'hackernews',
      hosts: [],
      limits: [],
      mode: 'stream',
      pollSeconds: 60,
      async *poll({ at }, cursor) {
        asked.push(cursor)
        const found = replies.shift() ?? []
        if (found.length > 0)
          yield {
            events: found.map((text) => posted(at, text, { platform: 'hackernews' })),
            cursor: { polls: asked.length },
          }
      },
    }
    await run({ sources: [polled] })
    await soon(async () => expect(await texts()).toEqual(['Acme 1']), 0)
    await soon(
      async () => expect(await stateOf('hackernews')).toMatchObject({ emptyPolls: 0, lastPolledAt: world.clock.now() }),
      0,
    )
    await world.clock.advance(59_000)
    await stateOf()
    expect(asked).toHaveLength(1)
    await world.clock.advance(1000)
    await soon(async () => expect(await stateOf('hackernews')).toMatchObject({ emptyPolls: 1 }), 0)
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']), 1000)
    expect(asked.slice(0, 3)).toEqual([null, { polls: 1 }, { polls: 1 }])
  })
})
