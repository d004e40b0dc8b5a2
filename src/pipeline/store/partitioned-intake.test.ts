import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { randomFrom } from '../../../test/random.ts'
import { liftWelcomeLimits } from '../../../test/rows.ts'
import { gated } from '../../../test/stand-ins/gated-database.ts'
import {
  eventually,
  type Pipeline,
  posted,
  startPipeline,
  watched,
  whileTimePasses,
} from '../../../test/stand-ins/pipeline.ts'
import { createTape, type Tape } from '../../../test/stand-ins/tape.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import type { Post } from '../../domain/post/post.ts'
import { postId } from '../../domain/post/post-id.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import type { SourceEvent } from '../../sources/contract.ts'
import { type Database, sql, type Transaction } from '../../store/database.ts'
import { partitionOf } from './partition-changes.ts'

const PARTITIONS = 4

let tape: Tape
let pipeline: Pipeline | null
let open: () => void

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
beforeEach(async () => {
  await liftWelcomeLimits(world)
  await watched(acme, 'Acme')
  await noteMentions()
  tape = createTape()
  pipeline = null
  open = () => undefined
})

afterEach(async () => {
  open()
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

async function run(db: Database = world.db, partitions = PARTITIONS): Promise<void> {
  pipeline = await startPipeline(world, { sources: [tape.source], db, partitions })
}

const soon = (check: () => unknown, stepMs = 50) => eventually(check, { clock: world.clock, stepMs })

/** Writes every mention that is made into a table, whatever becomes of it. */
async function noteMentions(): Promise<void> {
  await world.db.query(sql`create table made (post_id uuid)`)
  await world.admin(`create function note_made() returns trigger language plpgsql as
    $$ begin insert into made values (new.post_id); return null; end $$`)
  await world.admin('create trigger made after insert on mention for each row execute function note_made()')
}

async function texts(): Promise<string[]> {
  const rows = await world.db.query<{ body: string }>(
    sql`select p.body from mention m join post p on p.id = m.post_id order by p.body`,
  )
  return rows.map(({ body }) => body)
}

async function madeTwice(): Promise<number> {
  return (await world.db.query(sql`select post_id from made group by 1 having count(*) > 1`)).length
}

async function place(): Promise<number | undefined> {
  const rows = await world.db.query<{ n: number }>(
    sql`select (cursor ->> 'batches')::int as n from source_state where source = 'bluesky'`,
  )
  return rows[0]?.n
}

let made = 0

/** A post of the partition. */
function acmeOf(partition: number, text: string, more: Partial<Post> = {}): SourceEvent & { kind: 'post' } {
  for (;;) {
    made += 1
    const event = posted(world.clock.now(), `Acme ${text}`, { nativeId: `post ${made}`, ...more })
    if (partitionOf(postId('bluesky', event.post.nativeId), PARTITIONS) === partition) return event
  }
}

function goneOf({ post: { platform, nativeId } }: { post: Post }): SourceEvent {
  return { kind: 'post_gone', platform, nativeId }
}

function person(name: string): NonNullable<Post['author']> {
  return { ...madeUpPost(world.clock.now(), '').author!, id: `did:plc:${name}` }
}

/** Whether a statement is the first one about a post. */
function isAbout({ post }: { post: Post }, name: string, values: readonly unknown[]): boolean {
  const id = Buffer.from(postId(post.platform, post.nativeId).replaceAll('-', ''), 'hex')
  return name === 'ingest-existing' && values.some((value) => Buffer.isBuffer(value) && value.includes(id))
}

/** Holds the transaction that stores a post before it locks anything. */
function holding(event: { post: Post }): { db: Database; held: Promise<void>; open: () => void } {
  const [held, opened] = [new Deferred(), new Deferred()]
  open = () => opened.resolve()
  const db = withRun((tx, name, statement, values) => {
    if (!isAbout(event, name, values)) return tx.run(name, statement, values)
    held.resolve()
    return opened.promise.then(() => tx.run(name, statement, values))
  })
  return { db, held: held.promise, open }
}

function withRun(run: (tx: Transaction, ...of: Parameters<Transaction['run']>) => Promise<never[]>): Database {
  return {
    ...world.db,
    transaction: (work) => world.db.transaction((tx) => work({ ...tx, run: (...of) => run(tx, ...of) })),
  }
}

/** A pipeline with a stored place. */
async function runFrom(db: Database): Promise<void> {
  await run(db)
  tape.add(posted(world.clock.now(), 'nothing'))
  await soon(async () => expect(await place()).toBe(1))
}

describe('the posts of a live source', () => {
  test('are stored in as many transactions at a time as there are partitions', async () => {
    const still = gated(world.db)
    open = still.open
    await runFrom(still.db)
    still.close()
    for (let partition = 0; partition < PARTITIONS; partition += 1)
      tape.add(acmeOf(partition, 'one'), acmeOf(partition, 'two'))
    await soon(() => expect(still.waiting).toBe(PARTITIONS), 0)
    still.open()
    await soon(async () => expect(await place()).toBe(1 + PARTITIONS))
    expect(await texts()).toHaveLength(2 * PARTITIONS)
    expect(await world.db.query(sql`select distinct xmin::text from post`)).toHaveLength(PARTITIONS)
  })

  test('move the place of the source no further than the slowest partition', async () => {
    const first = acmeOf(0, 'slow')
    const slow = holding(first)
    await runFrom(slow.db)
    tape.add(first)
    await slow.held
    for (const partition of [1, 2, 3]) tape.add(acmeOf(partition, 'quick'))
    await soon(async () => expect(await texts()).toHaveLength(3))
    await world.clock.advance(10_000)
    expect(await place()).toBe(1)
    slow.open()
    await soon(async () => expect(await place()).toBe(5))
    expect(await texts()).toHaveLength(4)
  })

  test('are removed with their author by the partition that stores them only', async () => {
    await runFrom(world.db)
    const author = person('leaving')
    for (let partition = 0; partition < PARTITIONS; partition += 1) tape.add(acmeOf(partition, 'theirs', { author }))
    tape.add(acmeOf(0, 'of another'))
    await soon(async () => expect(await texts()).toHaveLength(PARTITIONS + 1))
    tape.add({ kind: 'author_gone', platform: 'bluesky', authorId: author.id! })
    tape.add(acmeOf(1, 'after their return', { author }))
    await soon(async () => expect(await texts()).toEqual(['Acme after their return', 'Acme of another']))
    await soon(async () => expect(await place()).toBe(1 + PARTITIONS + 3))
    expect(await texts()).toEqual(['Acme after their return', 'Acme of another'])
  })
})

describe('a post that is removed while the place stands before it', () => {
  test('waits for the place, so that a crash repeats its removal only', async () => {
    const [first, brief] = [acmeOf(0, 'slow'), acmeOf(1, 'brief')]
    const slow = holding(first)
    await runFrom(slow.db)
    tape.add(first)
    await slow.held
    tape.add(brief)
    await soon(async () => expect(await texts()).toEqual(['Acme brief']))
    tape.add(goneOf(brief))
    await soon(() => expect(tape.handedOver).toBe(4))
    await world.clock.advance(10_000)
    expect(await texts()).toEqual(['Acme brief'])
    slow.open()
    await soon(async () => expect(await texts()).toEqual(['Acme slow']))
    await soon(async () => expect(await place()).toBe(4))
  })
})

describe('a group that cannot be stored', () => {
  test('sends the source back to its stored place when the other partitions have ended', async () => {
    const [first, second] = [acmeOf(0, 'slow'), acmeOf(1, 'poison')]
    const slow = holding(first)
    let isBroken = true
    const db: Database = {
      ...slow.db,
      transaction: (work) =>
        slow.db.transaction((tx) => {
          const run: typeof tx.run = (name, statement, values) =>
            isBroken && isAbout(second, name, values)
              ? Promise.reject(new Error('the disk is full'))
              : tx.run(name, statement, values)
          return work({ ...tx, run })
        }),
    }
    await runFrom(db)
    tape.add(first)
    await slow.held
    tape.add(second)
    tape.add(acmeOf(2, 'quick'))
    await soon(async () => expect(await texts()).toEqual(['Acme quick']))
    await world.clock.advance(10_000)
    expect(tape.opened).toEqual([null])
    isBroken = false
    slow.open()
    await soon(async () => expect(await place()).toBe(4))
    expect(tape.opened).toEqual([null, 1])
    expect(await texts()).toEqual(['Acme poison', 'Acme quick', 'Acme slow'])
    expect(await madeTwice()).toBe(0)
  })
})

describe('another number of partitions', () => {
  test.each([
    [1, 4],
    [4, 1],
    [4, 3],
  ])('goes on behind the stored place, %i before and %i after', async (before, after) => {
    await run(world.db, before)
    for (let number = 0; number < 20; number += 1) tape.add(acmeOf(number % 4, `before ${number}`))
    await soon(async () => expect(await place()).toBe(20))
    await whileTimePasses(world.clock, pipeline!.stop())
    await run(world.db, after)
    for (let number = 0; number < 20; number += 1) tape.add(acmeOf(number % 4, `after ${number}`))
    await soon(async () => expect(await place()).toBe(40))
    expect(tape.opened).toEqual([null, 20])
    expect(await texts()).toHaveLength(40)
    expect(await madeTwice()).toBe(0)
  })
})

const FAILURES = 5

/** Transactions of the source that fail and commits whose answer is lost, FAILURES in all, at random. */
function unreliable(random: () => number): Database {
  let failures = 0
  const db: Database = {
    ...world.db,
    async transaction(work) {
      let isSource = false
      const mayFail = () => {
        if (!isSource || failures === FAILURES || random() > 0.3) return
        failures += 1
        throw new Error('the connection was lost')
      }
      const done = await world.db.transaction(async (tx) => {
        const run: typeof tx.run = (name, statement, values) => {
          isSource ||= name.endsWith('-source-lease')
          return tx.run(name, statement, values)
        }
        const result = await work({ ...tx, run })
        mayFail()
        return result
      })
      mayFail()
      return done
    },
  }
  return db
}

describe('whatever happens', () => {
  test.each([1, 2, 3])(
    'the end is as if every event had been stored in turn, and no mention is made twice, %i',
    async (seed) => {
      const random = randomFrom(seed)
      await run(unreliable(randomFrom(seed + 100)))
      const alive = new Map<string, SourceEvent & { kind: 'post' }>()
      const pick = <Of>(values: readonly Of[]) => values[Math.floor(random() * values.length)]
      const authors = Array.from({ length: 6 }, (_, number) => person(`${number}`))
      const next = (): SourceEvent => {
        const draw = random()
        const one = pick([...alive.values()])
        if (one && draw < 0.2) {
          alive.delete(one.post.nativeId)
          return goneOf(one)
        }
        if (one && draw < 0.35) {
          const edited = { ...one, post: { ...one.post, text: `${one.post.text} again` } }
          alive.set(one.post.nativeId, edited)
          return edited
        }
        if (draw > 0.98 && authors.length > 1) {
          const authorId = authors.pop()!.id!
          for (const [id, { post }] of alive) if (post.author?.id === authorId) alive.delete(id)
          return { kind: 'author_gone', platform: 'bluesky', authorId }
        }
        const fresh = acmeOf(Math.floor(random() * PARTITIONS), `${alive.size}`, { author: pick(authors)! })
        alive.set(fresh.post.nativeId, fresh)
        return fresh
      }
      let batches = 0
      for (let round = 0; round < 20; round += 1) {
        for (let batch = 0; batch < 3; batch += 1) {
          tape.add(...Array.from({ length: 1 + Math.floor(random() * 4) }, next))
          batches += 1
        }
        const known = batches
        if (round % 4 === 3) await soon(async () => expect(await place()).toBe(known), 1000)
      }
      await soon(async () => expect(await place()).toBe(batches), 500)
      expect(await texts()).toEqual([...alive.values()].map(({ post }) => post.text).sort())
      expect(await madeTwice()).toBe(0)
      expect(tape.opened.length).toBeGreaterThan(1)
    },
  )
})
