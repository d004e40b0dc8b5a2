import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { madeUpPost } from '../../../test/makers.ts'
import { eventually, type Pipeline, startPipeline, watched, whileTimePasses } from '../../../test/stand-ins/pipeline.ts'
import { useFreshWorld, useWorkspace } from '../../../test/use-world.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import { Deferred } from '../../kernel/concurrency/deferred.ts'
import { newUuid, toId, type Uuid } from '../../kernel/ids.ts'
import { type Place, type PlacePoll, type PlacesSource, SourceFault } from '../../sources/contract.ts'
import { sql } from '../../store/database.ts'
import { prunePlaces } from '../../store/source/places.ts'
import { readSourceStates } from '../../store/source/source-state.ts'
import { insertWorkspacePlace } from '../../store/source/workspace-places.ts'

const world = useFreshWorld()
const acme = useWorkspace(world, 'Acme')
let pipeline: Pipeline | null
let feeds: ReturnType<typeof scripted>
beforeEach(() => {
  pipeline = null
  feeds = scripted(['https://a.example/feed', 'https://b.example/one', 'https://b.example/two'])
})
afterEach(async () => {
  if (pipeline) await whileTimePasses(world.clock, pipeline.stop())
})

/** Feeds that a test writes: each poll answers what stands there, and takes it away. */
function scripted(named: string[]) {
  type Answer = () => Partial<PlacePoll> | Promise<Partial<PlacePoll>>
  const answers = new Map<string, Answer[]>()
  const asked: { address: string; cursor: unknown; atMs: number }[] = []
  let number = 0
  const source: PlacesSource = {
    platform: 'feeds',
    hosts: [],
    limits: [],
    mode: 'places',
    pollSeconds: 900,
    named,
    hostsOf: (address) => [new URL(address).host],
    find: () => Promise.reject(new Error('nobody names a feed here')),
    async poll(_, place: Place, cursor) {
      asked.push({ address: place.address, cursor, atMs: world.clock.monotonicMs() })
      const answer = (await answers.get(place.address)?.shift()?.()) ?? {}
      number += 1
      return { posts: [], cursor: { polls: number }, title: null, restSeconds: null, ...answer }
    },
  }
  return {
    source,
    asked,
    times: (address: string) => asked.filter((item) => item.address === address).length,
    says(address: string, ...texts: string[]) {
      const posts = texts.map((text) => ({ ...madeUpPost(world.clock.now(), text), platform: 'feeds' as const }))
      answers.set(address, [...(answers.get(address) ?? []), () => ({ posts })])
    },
    answers(address: string, answer: Answer) {
      answers.set(address, [...(answers.get(address) ?? []), answer])
    },
  }
}

async function run(): Promise<void> {
  pipeline = await startPipeline(world, { sources: [feeds.source] })
}

const soon = (check: () => unknown, stepMs = 100) => eventually(check, { clock: world.clock, stepMs })

async function placeAt(address: string) {
  const [row] = await world.db.query<{
    due_at: Date
    failures: number
    empty_polls: number
    last_error: string | null
    cursor: unknown
    title: string | null
  }>(sql`select due_at, failures, empty_polls, last_error, cursor, title from place where address = ${address}`)
  return row
}

async function secondsUntilDue(address: string): Promise<number> {
  return ((await placeAt(address))!.due_at.getTime() - world.clock.now().getTime()) / SECOND_MS
}

/** Whether a result waits to be written. */
async function isWaiting(): Promise<boolean> {
  const rows = await world.db.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update place%'`)
  return rows.length > 0
}

const allAsked = () => soon(() => expect(new Set(feeds.asked.map(({ address }) => address)).size).toBe(3))

describe('places that the operator named', () => {
  test('are each polled, and what keywords want becomes mentions', async () => {
    await watched(acme, 'Acme')
    feeds.says('https://a.example/feed', 'Acme is here', 'nothing of interest')
    feeds.says('https://b.example/two', 'Acme again')
    await run()
    await soon(async () => {
      const rows = await world.db.query<{ body: string }>(
        sql`select p.body from mention m join post p on p.id = m.post_id order by p.body`,
      )
      expect(rows.map(({ body }) => body)).toEqual(['Acme again', 'Acme is here'])
    })
    expect((await readSourceStates(world.db)).find(({ source }) => source === 'feeds')).toMatchObject({
      scheduled: true,
      failures: 0,
    })
  })

  test('go on from their cursor after a restart, and are dropped when the operator names them no more', async () => {
    await run()
    await soon(async () =>
      expect((await placeAt('https://a.example/feed'))?.cursor).toEqual({ polls: expect.anything() }),
    )
    const before = (await placeAt('https://a.example/feed'))!.cursor
    await whileTimePasses(world.clock, pipeline!.stop())
    feeds.source.named = ['https://a.example/feed']
    await world.clock.advance(45 * MINUTE_MS)
    await run()
    await soon(() => expect(feeds.asked.at(-1)).toMatchObject({ address: 'https://a.example/feed', cursor: before }))
    expect(await placeAt('https://b.example/one')).toBeUndefined()
  })

  test('are asked one at a time of each host, with a pause', async () => {
    await run()
    await soon(() => expect(feeds.asked).toHaveLength(3))
    const [first, second] = feeds.asked.filter(({ address }) => address.includes('b.example'))
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(SECOND_MS)
  })

  test('keep a result that comes while others are written', async () => {
    const [a, b] = [new Deferred<Partial<PlacePoll>>(), new Deferred<Partial<PlacePoll>>()]
    feeds.answers('https://a.example/feed', () => a.promise)
    feeds.answers('https://b.example/one', () => b.promise)
    feeds.source.named = ['https://a.example/feed', 'https://b.example/one']
    await run()
    await soon(() => expect(feeds.asked).toHaveLength(2))
    await world.db.transaction(async (tx) => {
      await tx.query(sql`select from place for update`)
      a.resolve({})
      await soon(async () => expect(await isWaiting()).toBe(true))
      b.resolve({})
      await new Promise(setImmediate)
    })
    await soon(async () => expect((await placeAt('https://b.example/one'))!.cursor).not.toBeNull())
    expect(feeds.times('https://b.example/one')).toBe(1)
  })
})

describe('the next turn', () => {
  test('comes later for a feed without news, up to eight times the interval', async () => {
    await run()
    await allAsked()
    await soon(async () => expect((await placeAt('https://a.example/feed'))!.empty_polls).toBe(1))
    for (const times of [2, 3, 4, 5]) {
      await world.clock.advance((await secondsUntilDue('https://a.example/feed')) * SECOND_MS)
      await soon(async () => expect((await placeAt('https://a.example/feed'))!.empty_polls).toBe(times))
    }
    expect(await secondsUntilDue('https://a.example/feed')).toBeGreaterThan(6000)
    expect(await secondsUntilDue('https://a.example/feed')).toBeLessThan(8000)
  })

  test('waits as long as the feed asks', async () => {
    feeds.answers('https://a.example/feed', () => ({ restSeconds: 80_000, title: 'A feed' }))
    await run()
    await soon(async () => expect((await placeAt('https://a.example/feed'))!.title).toBe('A feed'))
    expect(await secondsUntilDue('https://a.example/feed')).toBeGreaterThan(70_000)
  })
})

describe('a fault', () => {
  const fails = (address: string, error: Error) =>
    feeds.answers(address, () => {
      throw error
    })
  const failed = (address: string) => soon(async () => expect((await placeAt(address))!.failures).toBeGreaterThan(0))

  test('of one feed stops none of the others, and is kept with it', async () => {
    fails('https://b.example/one', new SourceFault('gone', 'There is nothing at this address (status 404).'))
    await run()
    await failed('https://b.example/one')
    await allAsked()
    expect(await placeAt('https://b.example/one')).toMatchObject({
      failures: 1,
      last_error: 'gone: There is nothing at this address (status 404).',
    })
    expect((await placeAt('https://b.example/two'))!.failures).toBe(0)
    expect(await secondsUntilDue('https://b.example/one')).toBeGreaterThan((0.85 * DAY_MS) / SECOND_MS)
  })

  test('of a host rests all its feeds, as long as the host asks', async () => {
    fails('https://b.example/one', new SourceFault('throttled', 'slow down', { retryAfterSeconds: 4000 }))
    fails('https://b.example/two', new SourceFault('throttled', 'slow down', { retryAfterSeconds: 4000 }))
    await run()
    await soon(async () => expect(await secondsUntilDue('https://b.example/two')).toBeGreaterThan(3900))
    const before = feeds.asked.filter(({ address }) => address.includes('b.example')).length
    expect(before).toBe(1)
    for (const address of ['https://b.example/one', 'https://b.example/two'])
      expect(await secondsUntilDue(address)).toBeGreaterThan(3900)
    expect(feeds.times('https://a.example/feed')).toBe(1)
  })

  test('of a host costs its other feeds one turn at most, and says nothing about them', async () => {
    await run()
    await allAsked()
    await soon(async () => expect((await placeAt('https://b.example/two'))!.cursor).not.toBeNull())
    await world.db.query(sql`update place set failures = 12, due_at = ${world.clock.now()}
      where address = 'https://b.example/one'`)
    fails('https://b.example/one', new SourceFault('unavailable', 'no whole reply'))
    await soon(async () => expect((await placeAt('https://b.example/one'))!.failures).toBe(13), 10_000)
    expect(await secondsUntilDue('https://b.example/one')).toBeGreaterThan((0.85 * DAY_MS) / SECOND_MS)
    expect(await secondsUntilDue('https://b.example/two')).toBeLessThan(4000)
    expect(await placeAt('https://b.example/two')).toMatchObject({ failures: 0, last_error: null })
  })

  test('that concerns one address does not rest its host', async () => {
    fails('https://b.example/one', new SourceFault('unavailable', 'it redirects without end', { onlyThis: true }))
    await run()
    await failed('https://b.example/one')
    await allAsked()
    expect(await placeAt('https://b.example/two')).toMatchObject({ failures: 0, last_error: null })
  })

  test('is a poll that takes more than five minutes, after which the others of its host have their turn', async () => {
    feeds.answers('https://b.example/one', () => new Promise(() => undefined))
    await run()
    await soon(async () => expect((await placeAt('https://b.example/one'))!.failures).toBe(1), 1000)
    await allAsked()
    expect((await placeAt('https://b.example/one'))!.last_error).toBe('unavailable: not read within 5 minutes')
    expect((await placeAt('https://b.example/two'))!.failures).toBe(0)
  })

  test('that repeats is asked about ever more rarely', async () => {
    for (let time = 0; time < 5; time += 1)
      fails('https://a.example/feed', new SourceFault('unavailable', 'no whole reply'))
    await run()
    const rests: number[] = []
    for (const failures of [1, 2, 3, 4]) {
      await soon(async () => expect((await placeAt('https://a.example/feed'))!.failures).toBe(failures))
      rests.push(await secondsUntilDue('https://a.example/feed'))
      await world.clock.advance(rests.at(-1)! * SECOND_MS)
    }
    for (const [at, rest] of rests.slice(1).entries()) expect(rest).toBeGreaterThan(1.4 * rests[at]!)
  })

  test("is the platform's trouble when most of its feeds have it", async () => {
    for (const address of feeds.source.named) fails(address, new SourceFault('unavailable', 'no whole reply'))
    await run()
    await soon(async () => {
      const state = (await readSourceStates(world.db)).find(({ source }) => source === 'feeds')
      expect(state?.lastError).toBe('unavailable: most of its places fail')
    }, 1000)
  })
})

describe('places that workspaces named', () => {
  const bravo = useWorkspace(world, 'Bravo')
  const OWN = 'https://own.example/feed'
  const name = (workspaceId: Uuid, address = OWN) =>
    world.db.transaction((tx) => {
      const at = world.clock.now()
      const place = { id: newUuid(at), workspaceId, platform: 'feeds' as const, address, title: null, at }
      return insertWorkspacePlace(tx, place)
    })
  const mentions = () =>
    world.db.query<{ workspace_id: Uuid; body: string }>(
      sql`select m.workspace_id, p.body from mention m join post p on p.id = m.post_id order by p.body`,
    )

  test('are polled once for all, and bring mentions only to who named them', async () => {
    const charlie = await world.workspace('Charlie')
    for (const workspace of [acme, bravo, charlie]) await watched(workspace, 'Acme')
    for (const { workspaceId } of [acme, bravo]) await name(workspaceId)
    feeds.says(OWN, 'Acme is in a feed')
    await run()
    await soon(async () => expect(await mentions()).toHaveLength(2))
    expect(new Set((await mentions()).map((row) => row.workspace_id))).toEqual(
      new Set([acme.workspaceId, bravo.workspaceId]),
    )
    expect(feeds.times(OWN)).toBe(1)
  })

  test('show nobody else what rules rejected', async () => {
    await watched(acme, 'Acme')
    const keyword = await watched(bravo, 'Acme', { matching: { excludedTerms: ['secret'] } })
    await name(acme.workspaceId)
    feeds.says(OWN, 'Acme has a secret')
    await run()
    await soon(async () => expect(await mentions()).toHaveLength(1))
    await world.clock.advance(5 * MINUTE_MS)
    const rejected = await bravo.api('GET', `/v1/keywords/${toId('kw', keyword)}/rejected`)
    expect([rejected.status, rejected.body.data]).toEqual([200, []])
  })

  test('are dropped when nobody names them any more', async () => {
    await name(acme.workspaceId)
    await world.db.query(sql`delete from workspace_place`)
    expect(await prunePlaces(world.db)).toBe(1)
    expect(await placeAt(OWN)).toBeUndefined()
  })
})
