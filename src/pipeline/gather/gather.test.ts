import { beforeEach, describe, expect, test } from 'vitest'
import { createMetrics, type Metrics } from '../../../test/metrics.ts'
import { randomFrom } from '../../../test/random.ts'
import { contextOf, eventually, posted } from '../../../test/stand-ins/pipeline.ts'
import { createTape, type Tape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorld } from '../../../test/use-world.ts'
import { silentLog } from '../../kernel/log.ts'
import type { Cursor, SourceEvent } from '../../sources/contract.ts'
import { SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { readCursor, readSourceStates } from '../../store/source/source-state.ts'
import type { PostStream } from '../../stream/contract.ts'
import { MemoryLog } from '../../stream/memory-log.suite.ts'
import { createPostStream } from '../../stream/post-stream.ts'
import { RENEW_MS, SOURCE_LEASE_MS } from '../collect/lease-keeper.ts'
import { gatheringOf, runGatherer } from './gatherer.ts'

const GATHERING = gatheringOf('bluesky')

let tape: Tape
let log: MemoryLog
let stream: PostStream
let metrics: Metrics
let gatherers: (() => Promise<void>)[]

const world = useFreshWorld()
beforeEach(() => {
  tape = createTape()
  log = new MemoryLog()
  stream = createPostStream(log)
  metrics = createMetrics()
  gatherers = []
  return async () => {
    await Promise.all(gatherers.map((stop) => stop()))
  }
})

/** A process that gathers, with its own way to the stream. */
function start(through: PostStream = stream): { stop(): Promise<void> } {
  const ending = new AbortController()
  const { db, clock } = world
  const options = { db, clock, log: silentLog, metrics, stream: through, contextFor: contextOf(silentLog) }
  const ended = runGatherer([tape.source], options, ending.signal)
  let over = false
  const stop = async () => {
    ending.abort()
    void ended.finally(() => {
      over = true
    })
    while (!over) await clock.advance(100)
    await ended
  }
  gatherers.push(stop)
  return { stop }
}

const soon = (check: () => unknown | Promise<unknown>) => eventually(check, { clock: world.clock, stepMs: 50 })

function post(text: string): SourceEvent {
  return posted(world.clock.now(), text)
}

/** Every event in the stream in order: a post as its text. */
async function published(): Promise<string[]> {
  const state = await stream.state('bluesky')
  if (state === null || state.last === 0) return []
  const ending = new AbortController()
  const context = contextOf(silentLog)(tape.source, world.clock.now(), ending.signal)
  const texts: string[] = []
  let messages = 0
  const cursor: Cursor = { batches: 0 }
  for await (const { events } of stream.followed(tape.source).follow(context, cursor)) {
    texts.push(...events.map((event) => (event.kind === 'post' ? event.post.text : event.kind)))
    messages += 1
    if (messages === state.last - state.first + 1) ending.abort()
  }
  return texts
}

describe('a gatherer', () => {
  test('publishes posts, removals and gone authors in their order, and stores its place', async () => {
    tape.add(post('one'), { kind: 'post_gone', platform: 'bluesky', nativeId: '1' }, post('two'))
    tape.add({ kind: 'author_gone', platform: 'bluesky', authorId: 'did:plc:somebody' })
    const running = start()
    await soon(async () => expect(await published()).toEqual(['one', 'post_gone', 'two', 'author_gone']))
    tape.add(post('three'))
    await soon(async () => expect((await stream.newest('bluesky')).cursor).toEqual({ batches: 3 }))
    await running.stop()
    const { number, posts } = await stream.newest('bluesky')
    expect(await readCursor(world.db, GATHERING)).toEqual({ cursor: { batches: 3 }, number, posts })
    expect(posts).toBe(3)
    expect(await metrics.postsPublished.get()).toMatchObject({ values: [{ value: 3 }] })
  })

  test('cuts a large batch into messages of 100 posts', async () => {
    const texts = Array.from({ length: 250 }, (_, number) => `post ${number}`)
    tape.add(...texts.map(post))
    start()
    await soon(async () => expect(await stream.state('bluesky')).toMatchObject({ last: 3 }))
    expect(await published()).toEqual(texts)
    expect(await stream.newest('bluesky')).toMatchObject({ posts: 250, cursor: { batches: 1 } })
  })

  test('goes on behind the newest message where the process before stored no place', async () => {
    tape.add(post('one'))
    const first = start()
    await soon(async () => expect(await published()).toEqual(['one']))
    tape.add(post('two'))
    await soon(async () => expect(await published()).toEqual(['one', 'two']))
    await first.stop()
    await world.db.query(sql`update source_state set cursor = null where source = ${GATHERING}`)
    tape.add(post('three'))
    start()
    await soon(async () => expect(await published()).toEqual(['one', 'two', 'three']))
  })

  test('goes on from its stored place where the stream keeps no message any more', async () => {
    tape.add(post('one'))
    const first = start()
    await soon(async () => expect(await published()).toEqual(['one']))
    await first.stop()
    log.forget('earshot-posts-bluesky')
    tape.add(post('two'))
    start()
    await soon(async () => expect(await published()).toEqual(['two']))
    expect(tape.opened).toEqual([null, 1])
  })

  test('takes over when the one before is gone, and only then', async () => {
    tape.add(post('one'))
    let hangs: () => void = () => undefined
    const hung = new Promise<void>((resolve) => {
      hangs = resolve
    })
    const stalled: PostStream = {
      ...stream,
      async publish(platform, batch, end) {
        if (batch.events.some(({ json }) => json.includes('late'))) await hung
        return await stream.publish(platform, batch, end)
      },
    }
    start(stalled)
    await soon(async () => expect(await published()).toEqual(['one']))
    start()
    await world.clock.advance(2 * RENEW_MS)
    expect(tape.opened).toHaveLength(1)
    // The first stands still with a message in hand, and its lease ends.
    tape.add(post('late'))
    await world.db.query(sql`update source_state set holder = null where source = ${GATHERING}`)
    await world.clock.advance(SOURCE_LEASE_MS)
    await soon(async () => expect(await published()).toEqual(['one', 'late']))
    hangs()
    tape.add(post('two'))
    await soon(async () => expect(await published()).toEqual(['one', 'late', 'two']))
  })

  test('takes no more from the platform than fits while publishing stands still', async () => {
    let go: () => void = () => undefined
    const waits = new Promise<void>((resolve) => {
      go = resolve
    })
    for (let batch = 0; batch < 40; batch += 1)
      tape.add(...Array.from({ length: 100 }, (_, number) => post(`${batch} ${number}`)))
    const slow: PostStream = { ...stream, publish: async (...args) => waits.then(() => stream.publish(...args)) }
    start(slow)
    await soon(() => expect(tape.handedOver).toBeGreaterThan(8))
    await world.clock.advance(1000)
    expect(tape.handedOver).toBeLessThan(13)
    go()
    await soon(async () => expect(await published()).toHaveLength(4000))
  })

  test('leaves the sources of a cell in the same database as they are', async () => {
    await world.db.query(
      sql`insert into source_state (source, scheduled, updated_at) values ('hackernews', true, ${world.clock.now()})`,
    )
    tape.add(post('one'))
    start()
    await soon(async () => expect(await published()).toEqual(['one']))
    const states = await readSourceStates(world.db)
    expect(states.map(({ source, scheduled }) => [source, scheduled])).toEqual([
      [GATHERING, false],
      ['hackernews', true],
    ])
  })
})

/** Publishing fails at random, before or after the message was stored, and processes are stopped at random. */
test.each([1, 2, 3])('each event is published once and in order, whatever fails (seed %i)', async (seed) => {
  const random = randomFrom(seed)
  const failing: PostStream = {
    ...stream,
    async publish(platform, batch, end) {
      if (random() < 0.15) throw new SourceFault('stream', 'refused')
      const published = await stream.publish(platform, batch, end)
      if (random() < 0.15) throw new SourceFault('stream', 'the acknowledgement was lost')
      return published
    },
  }
  const texts: string[] = []
  let running = start(failing)
  for (let batch = 0; batch < 60; batch += 1) {
    const added = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, number) => `${batch} ${number}`)
    texts.push(...added)
    tape.add(...added.map(post))
    await world.clock.advance(Math.floor(random() * 2000))
    if (random() < 0.2) {
      await running.stop()
      if (random() < 0.5) await world.db.query(sql`update source_state set cursor = null where source = ${GATHERING}`)
      running = start(failing)
    }
  }
  await eventually(async () => expect((await stream.newest('bluesky')).cursor).toEqual({ batches: 60 }), {
    clock: world.clock,
    stepMs: 1000,
  })
  expect(await published()).toEqual(texts)
})
