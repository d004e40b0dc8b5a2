import { beforeEach, describe, expect, test } from 'vitest'
import { collectedLog } from '../../test/stand-ins/collected-log.ts'
import { contextOf, posted } from '../../test/stand-ins/pipeline.ts'
import { createTape } from '../../test/stand-ins/tape.ts'
import { type Cursor, type SourceBatch, SourceFault } from '../sources/contract.ts'
import { encodeEvent, placeIn, type StreamEnd, StreamMoved } from './contract.ts'
import { MemoryLog } from './memory-log.suite.ts'
import { logNameOf } from './names.ts'
import { createPostStream } from './post-stream.ts'

const AT = new Date('2026-11-27T12:00:00Z')
const NAME = logNameOf('bluesky')

let log: MemoryLog
let end: StreamEnd
let said: ReturnType<typeof collectedLog>
const stream = () => createPostStream(log)
const source = () => stream().followed(createTape().source)

beforeEach(async () => {
  log = new MemoryLog()
  end = { number: 0, posts: 0 }
  said = collectedLog()
  await stream().prepare('bluesky')
})

/** Publishes a message of posts with these texts. */
async function publish(...texts: string[]): Promise<void> {
  const events = texts.map((text) => encodeEvent(posted(AT, text)))
  end = await stream().publish('bluesky', { events, cursor: { batches: end.number + 1 } }, end)
}

/** The next batches from a cursor on. */
async function read(cursor: Cursor | null, count: number): Promise<SourceBatch[]> {
  const ending = new AbortController()
  const batches: SourceBatch[] = []
  const context = contextOf(said.log)(createTape().source, AT, ending.signal)
  for await (const batch of source().follow(context, cursor)) {
    batches.push(batch)
    if (batches.length === count) ending.abort()
  }
  return batches
}

function textsOf(batches: readonly SourceBatch[]): string[] {
  return batches.flatMap(({ events }) => events.map((event) => (event.kind === 'post' ? event.post.text : event.kind)))
}

describe('a cell that follows the stream', () => {
  test('begins at the present, and from its cursor misses nothing', async () => {
    await publish('before')
    const [begun] = await read(null, 1)
    expect(begun!.events).toEqual([])
    await publish('one', 'two')
    await publish('three')
    const batches = await read(begun!.cursor, 2)
    expect(textsOf(batches)).toEqual(['one', 'two', 'three'])
    expect(placeIn(batches[1]!.cursor)).toEqual({ number: 3, lost: 0 })
    await publish('four')
    expect(textsOf(await read(batches[1]!.cursor, 1))).toEqual(['four'])
  })

  test('that read the platform itself before begins at the first message, and may go back to the platform', async () => {
    await publish('one')
    await publish('two')
    const batches = await read({ batches: 7 }, 2)
    expect(textsOf(batches)).toEqual(['one', 'two'])
    expect(batches[1]!.cursor).toMatchObject({ batches: 2 })
    expect(placeIn({ batches: 7 })).toBeNull()
  })

  test('that joins and leaves before its first message goes on at the platform', async () => {
    await publish('before')
    const [begun] = await read(null, 1)
    expect(begun!.cursor).toMatchObject({ batches: 1 })
  })

  test('begins in an empty stream too', async () => {
    const [begun] = await read(null, 1)
    await publish('one')
    expect(textsOf(await read(begun!.cursor, 1))).toEqual(['one'])
  })

  test('counts posts that left the stream before it read them, and says so', async () => {
    log = new MemoryLog(2000)
    await stream().prepare('bluesky')
    await publish('one')
    const [first] = await read({ batches: 0 }, 1)
    for (const texts of [['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h'], ['i']]) await publish(...texts)
    const state = (await log.state(NAME))!
    expect(state.first).toBeGreaterThan(3)
    const [next] = await read(first!.cursor, 1)
    // The second message had two posts.
    expect(placeIn(next!.cursor)).toEqual({ number: state.first, lost: state.first - 1 })
    expect(said.lines).toEqual([expect.objectContaining({ event: 'stream.posts_lost', posts: state.first - 1 })])
    const [after] = await read(next!.cursor, 1)
    expect(placeIn(after!.cursor)).toEqual({ number: state.first + 1, lost: state.first - 1 })
  })

  test('reads a stream that was made anew from its first message', async () => {
    await publish('one')
    const [before] = await read({ batches: 0 }, 1)
    log.forget(NAME)
    await stream().prepare('bluesky')
    end = { number: 0, posts: 0 }
    await publish('two')
    await publish('three')
    expect(textsOf(await read(before!.cursor, 2))).toEqual(['two', 'three'])
    expect(said.lines).toEqual([expect.objectContaining({ event: 'stream.replaced' })])
  })

  test('notices that another message has the number of the one it read last', async () => {
    await publish('one')
    await publish('lost by the server')
    const [, last] = await read({ batches: 0 }, 2)
    log.loseNewest(NAME)
    end = { number: 1, posts: 1 }
    await publish('in its place', 'and more')
    expect(textsOf(await read(last!.cursor, 2))).toEqual(['one', 'in its place', 'and more'])
  })

  test('passes a message of others and says so', async () => {
    await log.append(NAME, { id: 'foreign', data: Buffer.from('hello') }, 0)
    end = { number: 1, posts: 0 }
    await publish('ours')
    expect(textsOf(await read({ batches: 0 }, 2))).toEqual(['ours'])
    expect(said.lines).toEqual([expect.objectContaining({ event: 'source.item_invalid', number: 1 })])
  })

  test('fails where nobody gathers the platform', async () => {
    log.forget(NAME)
    await expect(read(null, 1)).rejects.toThrow(SourceFault)
    await expect(stream().newest('bluesky')).rejects.toMatchObject({ kind: 'stream' })
    expect(await stream().state('bluesky')).toBeNull()
  })
})

describe('a gatherer', () => {
  test('finds the cursor of the newest message', async () => {
    expect(await stream().newest('bluesky')).toEqual({ number: 0, posts: null, cursor: null })
    await publish('one', 'two')
    expect(await stream().newest('bluesky')).toEqual({ number: 1, posts: 2, cursor: { batches: 1 } })
  })

  test('publishes nothing behind a message that it does not know', async () => {
    await publish('one')
    end = { number: 0, posts: 0 }
    await expect(publish('two')).rejects.toThrow(StreamMoved)
    expect(await stream().state('bluesky')).toMatchObject({ last: 1 })
  })
})
