import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { type Gate, gated } from '../../../test/stand-ins/gated-database.ts'
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
import { createLog, type Log } from '../../kernel/log.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { type Database, sql } from '../../store/database.ts'
import { PENDING_MAX } from './source-intake.ts'

let tape: Tape
let pipeline: Pipeline | null
let gate: Gate | null

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  // Without the welcome credit's limit of 200 mentions.
  await liftWelcomeLimits(world)
  await watched(acme, 'Acme')
  tape = createTape()
  pipeline = null
  gate = null
})

afterEach(async () => {
  gate?.open()
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

async function run(options: PipelineOptions = {}): Promise<void> {
  pipeline = await startPipeline(world, { sources: [tape.source], ...options })
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

async function count(from: string): Promise<number> {
  return (await world.db.query<{ n: number }>(sql`select count(*) as n from ${sql.raw(from)}`))[0]!.n
}

async function texts(): Promise<string[]> {
  return (
    await world.db.query<{ body: string }>(
      sql`select p.body from mention m join post p on p.id = m.post_id order by p.body`,
    )
  ).map(({ body }) => body)
}

async function cursorOf(platform = 'bluesky'): Promise<number | undefined> {
  return (
    await world.db.query<{ n: number }>(
      sql`select (cursor ->> 'batches')::int as n from source_state where source = ${platform}`,
    )
  )[0]?.n
}

/** The present length of a queue, as Prometheus reads it. */
async function queueLength(queue: string): Promise<number> {
  const line = (await renderMetrics(pipeline!.metrics))
    .split('\n')
    .find((text) => text.startsWith(`earshot_queue_length{queue="${queue}"}`))
  return Number(line?.split(' ').at(-1))
}

/** A pipeline that has a stored place, and whose store stands still from here on. */
async function runStill(options: PipelineOptions = {}): Promise<Gate> {
  const still = gated(world.db)
  gate = still
  await run({ db: still.db, ...options })
  tape.add(posted(world.clock.now(), 'nothing'))
  await soon(async () => expect(await cursorOf()).toBe(1), 0)
  still.close()
  return still
}

const acmes = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => posted(world.clock.now(), `Acme ${from + at}`))

describe('what gathers while a group is being stored', () => {
  test('is stored together, with the newest cursor', async () => {
    const still = await runStill()
    for (let number = 0; number < 10; number += 1) tape.add(...acmes(number, 1))
    await soon(() => expect([tape.handedOver, still.waiting]).toEqual([11, 1]), 0)
    expect(await cursorOf()).toBe(1)
    still.open()
    await soon(async () => expect(await cursorOf()).toBe(11), 0)
    expect(await count('mention')).toBe(10)
    // The first one alone, and all others in a second transaction; scoring has transactions of its own.
    expect(await world.db.query(sql`select distinct xmin::text from post`)).toHaveLength(2)
  })

  test('makes a transaction of at most five hundred mentions, in whole batches', async () => {
    const still = await runStill()
    tape.add(...acmes(0, 1))
    await soon(() => expect(still.waiting).toBe(1), 0)
    for (let number = 0; number < 4; number += 1) tape.add(...acmes(1 + number * 200, 200))
    await soon(() => expect(tape.handedOver).toBe(6), 0)
    still.open()
    await soon(async () => expect(await count('mention')).toBe(801), 0)
    const sizes = await world.db.query<{ n: number }>(
      sql`select count(*) as n from post group by xmin::text order by min(id::text)`,
    )
    expect(sizes.map(({ n }) => n).sort((a, b) => a - b)).toEqual([1, 400, 400])
  })

  test('is kept in order: what goes takes along what came before it, and what comes after it stays', async () => {
    const still = await runStill()
    const at = world.clock.now()
    const [first, second, third] = ['Acme one', 'Acme two', 'Acme three'].map((text) => posted(at, text))
    const gone = ({ post }: NonNullable<typeof first>) => ({
      kind: 'post_gone' as const,
      platform: 'bluesky' as const,
      nativeId: post.nativeId,
    })
    tape.add(first!)
    await soon(() => expect(still.waiting).toBe(1), 0)
    tape.add(second!)
    tape.add(gone(first!))
    tape.add(third!)
    tape.add(gone(second!))
    tape.add(gone(third!))
    tape.add({ ...third!, post: { ...third!.post, text: 'Acme three again' } })
    await soon(() => expect(tape.handedOver).toBe(8), 0)
    still.open()
    await soon(async () => expect(await cursorOf()).toBe(8), 0)
    expect(await texts()).toEqual(['Acme three again'])
  })
})

describe('the end of collecting', () => {
  test('writes the newest cursor down, although nothing matched since a group that was under way', async () => {
    const still = await runStill()
    tape.add(...acmes(0, 1))
    await soon(() => expect(still.waiting).toBe(1), 0)
    tape.add(posted(world.clock.now(), 'nothing'))
    await soon(() => expect(tape.handedOver).toBe(3), 0)
    const stopped = pipeline!.stop()
    still.open()
    await stopped
    expect(await cursorOf()).toBe(3)
  })
})

describe('a person with very many posts who goes', () => {
  test('is removed in portions, each in a transaction of its own', async () => {
    await run()
    const events = acmes(0, 1100)
    const { platform, author } = events[0]!.post
    tape.add(...events.map((event) => ({ ...event, post: { ...event.post, author } })))
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    await world.db.query(sql`create table removal (xid xid8, posts bigint)`)
    await world.admin(`create function note_removal() returns trigger language plpgsql as
      $$ begin insert into removal select pg_current_xact_id(), count(*) from removed; return null; end $$`)
    await world.admin(
      'create trigger removal after delete on post referencing old table as removed for each statement execute function note_removal()',
    )
    tape.add({ kind: 'author_gone', platform, authorId: author!.id! })
    await soon(async () => expect(await cursorOf()).toBe(2), 0)
    expect(await count('mention')).toBe(0)
    const portions = await world.db.query<{ posts: number }>(
      sql`select sum(posts)::int as posts from removal group by xid`,
    )
    expect(portions.map(({ posts }) => posts).sort((a, b) => a - b)).toEqual([100, 500, 500])
  })
})

describe('a batch that is more than a transaction should hold', () => {
  test('is stored in portions, and the cursor passes it with the last one only', async () => {
    await run()
    tape.add(posted(world.clock.now(), 'nothing'))
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    tape.add(...acmes(0, 1200))
    await soon(async () => expect(await cursorOf()).toBe(2), 0)
    expect(await count('mention')).toBe(1200)
    const sizes = await world.db.query<{ n: number }>(sql`select count(*) as n from post group by xmin::text`)
    expect(sizes.map(({ n }) => n).sort((a, b) => a - b)).toEqual([200, 500, 500])
  })
})

describe('a store that stands still', () => {
  test('pauses the source, whose pending posts are bounded and visible, and loses nothing', async () => {
    const still = await runStill()
    const batches = 30
    for (let number = 0; number < batches; number += 1) tape.add(...acmes(number * 100, 100))
    await soon(
      async () => expect(await queueLength('store_bluesky_posts')).toBeGreaterThanOrEqual(PENDING_MAX.posts),
      0,
    )
    expect(await queueLength('store_bluesky_mentions')).toBeGreaterThanOrEqual(PENDING_MAX.mentions)
    expect(await queueLength('store_bluesky_bytes')).toBeGreaterThan(0)
    const taken = tape.handedOver
    expect(taken).toBeLessThan(batches)
    await world.clock.advance(10_000)
    expect(tape.handedOver).toBe(taken)
    still.open()
    await soon(async () => expect(await count('mention')).toBe(batches * 100), 0)
    await soon(async () => expect(await queueLength('store_bluesky_posts')).toBe(0), 0)
    expect(await cursorOf()).toBe(1 + batches)
  })

  test('for one source does not keep the others waiting', async () => {
    const still = gated(world.db)
    gate = still
    const second = createTape('hackernews')
    await run({ sources: [tape.source, second.source], db: still.db })
    for (const first of [tape, second]) first.add(posted(world.clock.now(), 'nothing'))
    await soon(async () => expect([await cursorOf(), await cursorOf('hackernews')]).toEqual([1, 1]), 0)
    still.close()
    tape.add(...acmes(0, 1))
    await soon(() => expect(still.waiting).toBe(1), 0)
    for (let number = 1; number < 20; number += 1) tape.add(...acmes(number * 100, 100))
    second.add(posted(world.clock.now(), 'Acme elsewhere', { platform: 'hackernews' }))
    // Both ask at the same time: the backlog of one takes one place, not all of them.
    await soon(() => expect(still.waiting).toBe(2), 0)
  })
})

describe('a group that cannot be stored', () => {
  test('sends the source back to its stored place, with all that had gathered behind it', async () => {
    const still = await runStill()
    for (let number = 0; number < 10; number += 1) tape.add(...acmes(number, 1))
    await soon(() => expect([tape.handedOver, still.waiting]).toEqual([11, 1]), 0)
    still.fail(1)
    still.open()
    await soon(async () => {
      expect(await count('mention')).toBe(10)
      expect(await queueLength('store_bluesky_posts')).toBe(0)
    }, 100)
    expect(tape.opened).toEqual([null, 1])
    expect(await cursorOf()).toBe(11)
  })
})

describe('the log', () => {
  function recording(): { log: Log; lines: Record<string, unknown>[] } {
    const lines: Record<string, unknown>[] = []
    return { lines, log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }) }
  }

  test('has one line for each group that made mentions, and none for others', async () => {
    const { log, lines } = recording()
    await run({ log })
    tape.add(posted(world.clock.now(), 'nothing'), posted(world.clock.now(), 'nothing either'))
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    tape.add(...acmes(0, 3), posted(new Date(world.clock.now().getTime() - 2000), 'nothing'))
    await soon(async () => expect(await count('mention')).toBe(3), 0)
    // What is published late says nothing about how far behind the source is.
    tape.add(posted(new Date(world.clock.now().getTime() - 86_400_000), 'Acme of yesterday'))
    await soon(async () => expect(await count('mention')).toBe(4), 0)
    const stored = () => lines.filter(({ event }) => event === 'post.stored')
    await soon(() => expect(stored()).toHaveLength(2), 0)
    expect(stored().map(({ lagSeconds }) => lagSeconds)).toEqual([0, 0])
    expect(stored()[0]).toMatchObject({
      level: 'info',
      platform: 'bluesky',
      posts: 4,
      matched: 3,
      mentions: 3,
      lagSeconds: 0,
    })
    expect(stored()[0]!['ms']).toBeGreaterThanOrEqual(0)
  })
})

describe('the metrics', () => {
  test('count what a portion made although a later one of the same batch could not be stored', async () => {
    let stored = 0
    const db: Database = {
      ...world.db,
      transaction: (work) =>
        world.db.transaction(async (tx) => {
          const result = await work(tx)
          const made = Array.isArray(result) && result.length > 0
          if (made) stored += 1
          if (made && stored === 2) throw new Error('the disk is full')
          return result
        }),
    }
    await run({ db })
    tape.add(...acmes(0, 700))
    await soon(async () => expect(await count('mention')).toBe(700), 100)
    const text = () => renderMetrics(pipeline!.metrics)
    await soon(async () => expect(await text()).toContain('earshot_mentions_stored_total{platform="bluesky"} 700'), 0)
    expect(await text()).toContain('earshot_store_batch_mentions_sum 700')
  })

  test('count what was read, matched and stored', async () => {
    await run()
    tape.add(...acmes(0, 3), posted(new Date(world.clock.now().getTime() - 2000), 'nothing'))
    await soon(async () => expect(await count('mention')).toBe(3), 0)
    const lines = (await renderMetrics(pipeline!.metrics)).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'earshot_posts_read_total{platform="bluesky"} 4',
        'earshot_posts_matched_total{platform="bluesky"} 3',
        'earshot_mentions_stored_total{platform="bluesky"} 3',
        'earshot_store_batch_mentions_sum 3',
        'earshot_post_visible_seconds_count{platform="bluesky"} 3',
        'earshot_source_held{platform="bluesky"} 1',
      ]),
    )
  })
})
