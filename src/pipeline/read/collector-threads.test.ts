import { EventEmitter } from 'node:events'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { eventually, posted } from '../../../test/stand-ins/pipeline.ts'
import { createTape, type Tape } from '../../../test/stand-ins/tape.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { createMatcher } from '../../matching/index.ts'
import { type CollectContext, type Source, SourceFault } from '../../sources/contract.ts'
import { CollectorThreads } from './collector-threads.ts'
import type { Brought } from './read.ts'
import { readForOthers, type ThreadOptions } from './read-in-thread.ts'
import type { ThreadHandle } from './reading-thread.ts'
import { CREDITS } from './thread-messages.ts'

const AT = new Date('2026-11-20T09:30:00.000Z')
const KEYWORD = { workspaceId: 'w' as Uuid, keywordId: 'k' as Uuid }

let closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

/** Everything that says Acme is wanted. */
const matcher = {
  dropped: 0,
  drops: () => [],
  tellOfAll: () => undefined,
  matchOwned: ({ text }: { text: string }) =>
    text.includes('Acme') ? { ids: ['k'], owners: [0] } : { ids: [], owners: [] },
}
type ThreadMatcher = ThreadOptions['matcher']
const watch: ConstructorParameters<typeof CollectorThreads>[0]['watch'] = {
  describe: (post, { ids }) => (ids.length === 0 ? null : { post, words: [], authorKeys: [], keywords: [KEYWORD] }),
  noteDrops: () => undefined,
  noteRead: () => undefined,
}

/** Ends of a channel instead of a thread: everything is copied on its way as between threads. */
function standIn(
  sources: readonly Source[],
  reader: ThreadMatcher = matcher,
): ThreadHandle & { die(error: Error): void; terminated: boolean } {
  const { port1, port2 } = new MessageChannel()
  const contextFor = (_: unknown, at: Date, signal: AbortSignal) => ({ at, signal }) as CollectContext
  readForOthers(port2, { sources, contextFor, matcher: reader, clock: createTestClock() })
  const events = new EventEmitter()
  port1.on('message', (message) => events.emit('message', message))
  const made = {
    terminated: false,
    postMessage: (message: unknown) => port1.postMessage(message),
    on: events.on.bind(events) as unknown as Worker['on'],
    die(error: Error) {
      port1.close()
      events.emit('error', error)
    },
    async terminate() {
      made.terminated = true
      port1.close()
      events.emit('exit', 1)
      return 1
    },
  }
  closing.push(() => port1.close())
  return made
}

function threadsOn(tapes: readonly Tape[], { count = 1, reader = matcher as ThreadMatcher, told = watch } = {}) {
  const sources = tapes.map(({ source }) => source)
  const spawned: ReturnType<typeof standIn>[] = []
  const clock = createTestClock()
  const threads: CollectorThreads = new CollectorThreads({
    clock,
    log: silentLog,
    watch: told,
    sources,
    count,
    spawn() {
      const made = standIn(sources, reader)
      spawned.push(made)
      return made
    },
  })
  return { threads, spawned, clock }
}

/** Reads a tape and answers what came, until the reading ends. */
function reading(threads: CollectorThreads, { source }: Tape, cursor: { batches: number } | null = null) {
  const ending = new AbortController()
  const brought: Brought[] = []
  const over = (async () => {
    for await (const item of threads.read(source, { at: AT, cursor, signal: ending.signal })) brought.push(item)
  })()
  over.catch(() => undefined)
  return { brought, over, end: () => ending.abort() }
}

describe('a source that is read in a thread', () => {
  test('brings what is wanted and what went, with counts and places, in order', async () => {
    const tape = createTape()
    const { threads } = threadsOn([tape])
    const { brought, over, end } = reading(threads, tape, { batches: 0 })
    const [wanted, unwanted] = [posted(AT, 'Acme'), posted(new Date(AT.getTime() + 5), 'nothing')]
    tape.add(wanted, unwanted)
    tape.add(
      { kind: 'author_gone', platform: 'bluesky', authorId: 'did:plc:gone' },
      { kind: 'post_gone', platform: 'bluesky', nativeId: '1' },
    )
    await eventually(() => expect(brought).toHaveLength(2))
    expect(brought[0]).toMatchObject({ cursor: { batches: 1 }, posts: 2, newestAt: unwanted.post.publishedAt })
    expect([...brought[0]!.changes.matched.values()]).toEqual([
      { post: wanted.post, words: [], authorKeys: [], keywords: [KEYWORD] },
    ])
    expect(brought[1]).toMatchObject({ cursor: { batches: 2 }, posts: 0, newestAt: null })
    expect([[...brought[1]!.changes.goneAuthors], brought[1]!.changes.goneIds.size]).toEqual([['did:plc:gone'], 1])
    end()
    await over
  })

  test('brings a post that was edited within a batch as it is last, for every keyword that wanted either form', async () => {
    const tape = createTape()
    const { threads } = threadsOn([tape])
    const { brought, over, end } = reading(threads, tape, { batches: 0 })
    const first = posted(AT, 'Acme')
    tape.add(
      first,
      { ...first, post: { ...first.post, text: 'Acme Rocket' } },
      { ...first, post: { ...first.post, text: 'nothing' } },
    )
    await eventually(() => expect(brought).toHaveLength(1))
    expect([...brought[0]!.changes.matched.values()].map(({ post, keywords }) => [post.text, keywords])).toEqual([
      ['Acme Rocket', [KEYWORD]],
    ])
    end()
    await over
  })

  test('hands over no more batches than were paid for', async () => {
    const tape = createTape()
    const { threads } = threadsOn([tape])
    for (let batch = 0; batch < 20; batch += 1) tape.add(posted(AT, 'Acme'))
    const ending = new AbortController()
    const iterator = threads
      .read(tape.source, { at: AT, cursor: { batches: 0 }, signal: ending.signal })
      [Symbol.asyncIterator]()
    expect((await iterator.next()).value?.cursor).toEqual({ batches: 1 })
    await eventually(() => expect(tape.handedOver).toBe(CREDITS + 1))
    expect((await iterator.next()).value?.cursor).toEqual({ batches: 2 })
    await eventually(() => expect(tape.handedOver).toBe(CREDITS + 2))
    await iterator.return?.()
  })

  test('fails with the fault of the source, its kind and its wishes', async () => {
    const tape = createTape()
    const { threads } = threadsOn([tape])
    tape.breakWith(new SourceFault('throttled', 'slow down', { retryAfterSeconds: 120 }))
    const fault = await reading(threads, tape).over.then(
      () => null,
      (error: unknown) => error,
    )
    expect(fault).toBeInstanceOf(SourceFault)
    expect(fault).toMatchObject({ kind: 'throttled', message: 'slow down', retryAfterSeconds: 120 })
    tape.breakWith(new TypeError('a defect'))
    await expect(reading(threads, tape).over).rejects.toThrow('a defect')
  })

  test('ends when it is told to, in the thread too, before it is read again', async () => {
    const tape = createTape()
    const { threads, spawned } = threadsOn([tape])
    const first = reading(threads, tape)
    await eventually(() => expect(tape.opened).toHaveLength(1))
    first.end()
    await first.over
    tape.add(posted(AT, 'Acme'))
    const second = reading(threads, tape, { batches: 0 })
    await eventually(() => expect(second.brought).toHaveLength(1))
    expect(tape.handedOver).toBe(1)
    second.end()
    await second.over
    expect(spawned).toHaveLength(1)
  })

  test('does not wait for ever for a thread that does not answer: that thread is ended', async () => {
    const tape = createTape()
    const never = createTape()
    never.source.follow = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) })
    const { threads, spawned, clock } = threadsOn([never])
    const { over, end } = reading(threads, never)
    end()
    let ended = false
    void over.then(() => {
      ended = true
    })
    await eventually(() => expect(ended).toBe(true), { clock, stepMs: 500 })
    expect(spawned[0]!.terminated).toBe(true)
    expect(tape.opened).toEqual([])
  })
})

test('tells of a keyword that a post is dropped for now and then beside one that drops very many', async () => {
  const tape = createTape()
  const reader = createMatcher()
  const [loud, quiet] = [newUuid(AT), newUuid(AT)]
  for (const [id, term] of [[loud, 'flood'] as const, [quiet, 'drop'] as const]) {
    reader.put(id, {
      term,
      caseSensitive: false,
      requiredTerms: ['x1'],
      requiredMode: 'any',
      excludedTerms: [],
      excludedAuthors: [],
      scopes: -1,
    })
  }
  const heard: string[] = []
  const noteDrops: typeof watch.noteDrops = (_, drops) => heard.push(...drops.map(({ id }) => id))
  const { threads } = threadsOn([tape], { reader, told: { ...watch, noteDrops } })
  const { brought, over, end } = reading(threads, tape, { batches: 0 })
  for (let batch = 1; batch <= 3; batch += 1) {
    tape.add(...Array.from({ length: 200 }, () => posted(AT, 'flood')), posted(AT, 'drop'))
    await eventually(() => expect(brought).toHaveLength(batch))
  }
  expect([heard.filter((id) => id === loud).length, heard.filter((id) => id === quiet).length]).toEqual([20, 2])
  end()
  await over
})

describe('a thread that dies', () => {
  test('fails what it read, and is replaced by one that goes on from the stored place', async () => {
    const [tape, other] = [createTape(), createTape('hackernews')]
    const { threads, spawned } = threadsOn([tape, other])
    const [first, second] = [reading(threads, tape), reading(threads, other)]
    await eventually(() => expect([tape.opened.length, other.opened.length]).toEqual([1, 1]))
    spawned[0]!.die(new Error('out of memory'))
    await expect(first.over).rejects.toThrow('out of memory')
    await expect(second.over).rejects.toThrow('out of memory')
    tape.add(posted(AT, 'Acme'))
    const again = reading(threads, tape, { batches: 0 })
    await eventually(() => expect(again.brought).toHaveLength(1))
    expect(spawned).toHaveLength(2)
    again.end()
    await again.over
  })

  test('leaves the others alone', async () => {
    const [tape, other] = [createTape(), createTape('hackernews')]
    const { threads, spawned } = threadsOn([tape, other], { count: 2 })
    const [first, second] = [reading(threads, tape), reading(threads, other, { batches: 0 })]
    await eventually(() => expect(spawned).toHaveLength(2))
    spawned[0]!.die(new Error('out of memory'))
    await expect(first.over).rejects.toThrow('out of memory')
    other.add(posted(AT, 'Acme', { platform: 'hackernews' }))
    await eventually(() => expect(second.brought).toHaveLength(1))
    second.end()
    await second.over
    await threads.close()
  })
})
