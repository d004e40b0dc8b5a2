import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../../../test/metrics.ts'
import { contextOf, eventually, posted, watched } from '../../../test/stand-ins/pipeline.ts'
import { createTape, type Tape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { renderMetrics } from '../../kernel/metrics.ts'
import { type Database, DatabaseUnavailable, sql } from '../../store/database.ts'
import { ErasedAuthors } from '../../store/erasure/erased-authors.ts'
import { createEnrich } from '../read/enrich.ts'
import { readHere } from '../read/read.ts'
import { StoreStage } from '../store/store-stage.ts'
import { openWatch } from '../watch/watch.ts'
import { runCollector } from './collector.ts'
import { SOURCE_LEASE_MS } from './lease-keeper.ts'

let tape: Tape
let other: Tape
let processes: Process[]

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await watched(acme, 'Acme')
  tape = createTape()
  other = createTape('hackernews')
  processes = []
})

afterEach(async () => {
  for (const process of processes) process.resume()
  await passing(Promise.all(processes.map((process) => process.stop())))
})

/** Lets time pass until something has happened. */
async function passing<Result>(happening: Promise<Result>): Promise<Result> {
  let over = false
  void happening.finally(() => {
    over = true
  })
  while (!over) await world.clock.advance(100)
  return await happening
}

/** A process that collects. It can be stopped in its tracks, as by SIGSTOP or, when it is never resumed, by SIGKILL. */
interface Process {
  /** How far behind a platform is by the metrics; null when they say nothing of it. */
  lagSeconds(platform: string): Promise<number | null>
  /** The platforms that it collects from, by its own reckoning. */
  held(): Promise<string[]>
  pause(): void
  resume(): void
  /** Its database connections fail from here on, or no longer. */
  cutOff(how: boolean): void
  stop(): Promise<void>
}

async function start(sources = [tape.source, other.source]): Promise<Process> {
  let paused: { over: Promise<void>; end(): void } | null = null
  let cut = false
  const running = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await paused?.over
    if (cut) throw new DatabaseUnavailable(new Error('cut off'))
    const result = await work()
    await paused?.over
    return result
  }
  const db: Database = {
    ...world.db,
    run: (name, text, values) => running(() => world.db.run(name, text, values)),
    query: (statement) => running(() => world.db.query(statement)),
    transaction: (work) => running(() => world.db.transaction(work)),
  }
  const { clock } = world
  const ending = new AbortController()
  const metrics = createMetrics()
  const shared = { db, clock, log: silentLog, metrics, erased: new ErasedAuthors(world.services.sealer) }
  const watch = openWatch({ ...shared, db: world.db, signal: ending.signal, snapshotPath: null })
  await watch.loaded
  const store = new StoreStage({ ...shared, metered: true, partitions: 1, mentionDays: null, onMentions: null })
  const contextFor = contextOf(silentLog)
  const collected = runCollector(
    sources,
    {
      ...shared,
      read: readHere({ watch, contextFor }),
      store,
      watch,
      enrich: createEnrich({ ...shared, contextFor }),
      contextFor,
      contextAside: contextFor,
    },
    ending.signal,
  )
  const made: Process = {
    async lagSeconds(platform) {
      const found = new RegExp(`^earshot_source_lag_seconds\\{platform="${platform}"\\} (\\S+)$`, 'm').exec(
        await renderMetrics(metrics),
      )
      return found && Number(found[1])
    },
    async held() {
      const lines = (await renderMetrics(metrics)).matchAll(/^earshot_source_held\{platform="(\w+)"\} 1$/gm)
      return [...lines].map(([, platform]) => platform!).sort()
    },
    pause() {
      let end: () => void = () => undefined
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      paused = { over, end }
    },
    resume() {
      paused?.end()
      paused = null
    },
    cutOff(how) {
      cut = how
    },
    async stop() {
      ending.abort()
      await collected
      await watch.ended
    },
  }
  processes.push(made)
  return made
}

const soon = (check: () => unknown, stepMs = 5) => eventually(check, { clock: world.clock, stepMs })

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

const acmePost = (text: string) => posted(world.clock.now(), `Acme ${text}`)

describe('sources', () => {
  test('are collected from by one process at a time, and spread over all of them', async () => {
    const first = await start()
    await soon(async () => expect(await first.held()).toEqual(['bluesky', 'hackernews']), 0)
    const second = await start()
    await soon(
      async () => expect([...(await first.held()), ...(await second.held())].sort()).toEqual(['bluesky', 'hackernews']),
      0,
    )
    await soon(async () => expect(await second.held()).toHaveLength(1), 0)
    tape.add(acmePost('everywhere'))
    other.add(posted(world.clock.now(), 'Acme elsewhere', { platform: 'hackernews' }))
    await soon(async () => expect(await texts()).toEqual(['Acme elsewhere', 'Acme everywhere']))
    expect(tape.handedOver + other.handedOver).toBe(2)
    // A third one finds nothing to do for itself, and disturbs nobody.
    const three = await start()
    await soon(async () => expect(await world.db.query(sql`select 1 from collector`)).toHaveLength(3), 0)
    await world.clock.advance(10 * SECOND_MS)
    expect([(await first.held()).length, (await second.held()).length, (await three.held()).length]).toEqual([1, 1, 0])
  })

  test('are as far behind as their newest post is old, until they are given up', async () => {
    const process = await start([tape.source])
    await soon(async () => expect(await process.held()).toEqual(['bluesky']), 0)
    expect(await process.lagSeconds('bluesky')).toBeNull()
    tape.add(posted(new Date(world.clock.now().getTime() - 2000), 'new'))
    await soon(async () => expect(await process.lagSeconds('bluesky')).toBe(2), 0)
    tape.add(posted(new Date(world.clock.now().getTime() - 86_400_000), 'old'))
    await soon(() => expect(tape.handedOver).toBe(2), 0)
    expect(await process.lagSeconds('bluesky')).toBe(2)
    await world.clock.advance(4000)
    expect(await process.lagSeconds('bluesky')).toBe(6)
    await process.stop()
    expect(await process.lagSeconds('bluesky')).toBeNull()
  })

  test('go to another process at once when theirs ends in order', async () => {
    const first = await start()
    await soon(async () => expect(await first.held()).toHaveLength(2), 0)
    tape.add(acmePost('1'))
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    const second = await start()
    await soon(async () => expect(await second.held()).toHaveLength(1), 0)
    const at = world.clock.now()
    await first.stop()
    await soon(async () => expect(await second.held()).toEqual(['bluesky', 'hackernews']), 0)
    expect(world.clock.now()).toEqual(at)
    tape.add(acmePost('2'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']))
  })

  test('go to another process within twenty seconds when theirs is killed, and not before its lease is over', async () => {
    const first = await start([tape.source])
    await soon(async () => expect(await first.held()).toEqual(['bluesky']), 0)
    tape.add(acmePost('1'))
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    const second = await start([tape.source])
    first.pause()
    const sinceMs = world.clock.monotonicMs()
    await soon(async () => expect(await second.held()).toEqual(['bluesky']), 100)
    const tookMs = world.clock.monotonicMs() - sinceMs
    expect(tookMs).toBeGreaterThanOrEqual(SOURCE_LEASE_MS - 5 * SECOND_MS)
    expect(tookMs).toBeLessThanOrEqual(20 * SECOND_MS + 1000)
    tape.add(acmePost('2'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2']))
  })

  test('are left alone when the database has been away for longer than a lease, and collected from again afterwards', async () => {
    const process = await start([tape.source])
    await soon(async () => expect(await process.held()).toEqual(['bluesky']), 0)
    process.cutOff(true)
    await soon(async () => expect(await process.held()).toEqual([]), 500)
    process.cutOff(false)
    tape.add(acmePost('1'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1']), 100)
    expect(await process.held()).toEqual(['bluesky'])
  })
})

describe('a process that stood still while another one took its source', () => {
  /**
   * One process with a stored place, stopped before it could store what it had read last; and another one that has
   * taken over. Each has its own view of the platform, so that the first one learns of nothing that comes later.
   */
  async function overtaken(...about: Parameters<Tape['add']>): Promise<Process> {
    const view = createTape()
    const stale = await start([view.source])
    await soon(async () => expect(await stale.held()).toEqual(['bluesky']), 0)
    const first = acmePost('1')
    for (const item of [view, tape]) item.add(first)
    await soon(async () => expect(await cursorOf()).toBe(1), 0)
    stale.pause()
    for (const value of [view, tape]) value.add(...about)
    await soon(() => expect(view.handedOver).toBe(2), 0)
    const fresh = await start([tape.source])
    await soon(async () => expect(await fresh.held()).toEqual(['bluesky']), 500)
    await soon(async () => expect(await cursorOf()).toBe(2), 0)
    return stale
  }

  /** The mentions with their ids: one that was removed and made anew is another one. */
  const mentions = () =>
    world.db.query(sql`select m.id, p.body from mention m join post p on p.id = m.post_id order by m.id`)

  test('neither moves the cursor back nor makes a mention twice, and stops', async () => {
    const stale = await overtaken(acmePost('2'))
    tape.add(acmePost('3'))
    await soon(async () => expect(await cursorOf()).toBe(3))
    const before = await mentions()
    stale.resume()
    await soon(async () => expect(await stale.held()).toEqual([]), 100)
    expect(await cursorOf()).toBe(3)
    expect(await mentions()).toEqual(before)
    expect(await texts()).toEqual(['Acme 1', 'Acme 2', 'Acme 3'])
    tape.add(acmePost('4'))
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme 2', 'Acme 3', 'Acme 4']))
  })

  test('does not remove what has meanwhile come again', async () => {
    const back = acmePost('gone and back')
    const stale = await overtaken({ kind: 'post_gone', platform: 'bluesky', nativeId: back.post.nativeId })
    tape.add(back)
    await soon(async () => expect(await texts()).toEqual(['Acme 1', 'Acme gone and back']))
    const before = await mentions()
    stale.resume()
    await soon(async () => expect(await stale.held()).toEqual([]), 100)
    expect(await mentions()).toEqual(before)
  })
})

describe('mentions that a process leaves to others', () => {
  test('are free at once and announced with their commit', async () => {
    const heard: string[] = []
    const listening = new AbortController()
    await new Promise<void>((ready) =>
      world.db.listen('earshot_work', (kind) => void heard.push(kind), ready, listening.signal),
    )
    await start([tape.source])
    tape.add(acmePost('1'), acmePost('2'), acmePost('3'))
    await soon(() => expect(heard).toEqual(['mentions']), 0)
    expect(
      await world.db.query(sql`select 1 from score_queue where leased_until <= ${world.clock.now()}`),
    ).toHaveLength(3)
    listening.abort()
  })
})
