import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalReceiver, startLocalReceiver } from '../../src/channels/local-receiver.suite.ts'
import { fromId } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../../src/store/database.ts'
import { connectionOfRunning } from '../../src/store/embedded/embedded-postgres.ts'
import { type Algolia, startAlgolia } from '../stand-ins/algolia.ts'
import { type EarshotProcess, earshot, temporaryDataDir } from '../stand-ins/earshot-process.ts'
import { freePort } from '../stand-ins/free-port.ts'
import { type Jetstream, startJetstream } from '../stand-ins/jetstream.ts'
import { eventually } from '../stand-ins/pipeline.ts'

/** Printed, so that a run can be repeated: CRASH_SEED=number. */
const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31))

const TERMS = ['Acme Notes', 'sync engine', 'hackable'] as const
const folder = temporaryDataDir()

let jetstream: Jetstream
let algolia: Algolia
let receiver: LocalReceiver
let service: EarshotProcess | null = null
let origin: string
let port: number
let db: Database
let keywords: Map<string, string>
/** Native ids of everything published, and the terms that each holds. */
const published = new Map<string, readonly string[]>()
/** For every request, which run of the service sent it. */
const runs: number[] = []
let run = 0
let onRequest: (count: number) => void = () => undefined

beforeAll(async () => {
  process.stdout.write(`CRASH_SEED=${seed}\n`)
  ;[jetstream, algolia, port] = await Promise.all([startJetstream(), startAlgolia(), freePort()])
  receiver = await startLocalReceiver((response) => {
    runs.push(run)
    onRequest(runs.length)
    response.end()
  })
  origin = `http://127.0.0.1:${port}`
  await start()
  const connection = await connectionOfRunning(folder.dataDir)
  db = openDatabase({ connection: connection!, poolSize: 2, log: silentLog })
  await setUp()
}, 180_000)

afterAll(async () => {
  service?.signal('SIGTERM')
  await service?.ended
  await db?.close()
  await Promise.all([jetstream.close(), algolia.close(), receiver.close()])
  await folder.remove()
})

function environment(): Record<string, string> {
  return {
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    EGRESS_ALLOW: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    SOURCE_HACKERNEWS_URL: algolia.url,
    SOURCE_HACKERNEWS_POLL_SECONDS: '1',
    EARSHOT_LOG_LEVEL: 'warn',
  }
}

async function start(): Promise<void> {
  run += 1
  service = earshot(['start'], environment())
  await service.says('Earshot is running')
}

/** Ends the service without any warning and starts it again. */
async function crash(): Promise<void> {
  service!.signal('SIGKILL')
  expect(await service!.ended).toMatchObject({ signal: 'SIGKILL' })
  onRequest = () => undefined
  await start()
}

async function setUp(): Promise<void> {
  const created = await earshot(['keys', 'create', '--workspace', 'Crash', '--scope', 'write'], environment()).ended
  const key = created.stdout.trim()
  // A credit lifts the welcome limit of 200 mentions.
  expect((await earshot(['grant', 'Crash', '10000'], environment()).ended).code).toBe(0)
  const call = async (path: string, body: unknown) => {
    const reply = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(reply.status).toBeLessThan(300)
    return (await reply.json()) as { id: string }
  }
  const made = await Promise.all(
    TERMS.map(async (term) => [fromId('kw', (await call('/v1/keywords', { term })).id)!, term] as const),
  )
  keywords = new Map(made)
  const channel = await call('/v1/channels', { kind: 'webhook', url: receiver.url })
  await call('/v1/alerts', {
    name: 'All',
    mode: 'instant',
    event: 'mention.matched',
    filter: { minRelevance: 0 },
    channelIds: [channel.id],
  })
  // The feed has a stored place from here on: everything later has to arrive.
  await eventually(() => expect(jetstream.listeners).toBe(1))
  jetstream.post('nothing of interest')
  await eventually(async () =>
    expect(
      await db.query(sql`select 1 from source_state where source = 'bluesky' and cursor is not null`),
    ).toHaveLength(1),
  )
}

function publish(count: number): void {
  for (let done = 0; done < count; done += 1) {
    const number = published.size
    const terms = TERMS.filter((_, at) => number % (at + 2) === 0)
    const text = `Post ${number}: ${terms.map((term) => `I really like ${term}`).join(', and ') || 'nothing of interest'}.`
    published.set(number % 10 === 9 ? algolia.comment(text) : jetstream.post(text), terms)
  }
}

async function countOf(table: 'mention' | 'score_queue'): Promise<number> {
  return (await db.query<{ n: number }>(sql`select count(*) as n from ${sql.table(table)}`))[0]!.n
}

/** The requests received so far, by delivery. */
function requestsByDelivery(): Map<string, number[]> {
  const requests = new Map<string, number[]>()
  receiver.received.forEach(({ body }, at) => {
    const { id } = JSON.parse(body.toString()) as { id: string }
    requests.set(id, [...(requests.get(id) ?? []), runs[at]!])
  })
  return requests
}

/** Repeatable draws (mulberry32). */
function draws(state: number): (below: number) => number {
  let s = state
  return (below) => {
    s = (s + 0x6d2b79f5) | 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

describe('a service that is killed without warning', () => {
  test('loses nothing, scores and charges everything once, and repeats requests only across a kill', async () => {
    const draw = draws(seed)
    const untilRequest = (count: number) =>
      new Promise<void>((resolve) => {
        onRequest = (now) => {
          if (now >= count) resolve()
        }
      })

    // Between the arrival of a request and the news that it was accepted.
    let reached = untilRequest(runs.length + 5)
    publish(60)
    await reached
    await crash()

    // While mentions are being stored.
    const stored = await countOf('mention')
    publish(60)
    await eventually(async () => expect(await countOf('mention')).toBeGreaterThan(stored))
    await crash()

    // While mentions wait for their score.
    publish(300)
    await eventually(async () => expect(await countOf('score_queue')).toBeGreaterThan(0))
    await crash()

    // Somewhere in the middle of everything.
    for (let kills = 0; kills < 2; kills += 1) {
      reached = untilRequest(runs.length + 1 + draw(30))
      publish(40 + draw(40))
      await reached
      await crash()
    }

    const wanted = [...published].flatMap(([nativeId, terms]) => terms.map((term) => `${term} | ${nativeId}`)).sort()
    await eventually(async () => expect(await settledDeliveries()).toBe(wanted.length), { withinMs: 90_000 })
    expect(await mentions()).toEqual(wanted)
    expect(await leftovers()).toEqual({ unscored: 0, failed: 0, queued: 0, sending: 0, undelivered: 0, unmarked: 0 })
    expect(await usage()).toEqual(await recount())

    const requests = requestsByDelivery()
    expect(requests.size).toBe(wanted.length)
    const withinOneRun = [...requests].filter(([, sentBy]) => new Set(sentBy).size < sentBy.length)
    expect(withinOneRun).toEqual([])
  }, 240_000)
})

async function settledDeliveries(): Promise<number> {
  return (await db.query<{ n: number }>(sql`select count(*) as n from delivery where status = 'delivered'`))[0]!.n
}

async function mentions(): Promise<string[]> {
  const rows = await db.query<{ keyword_id: string; native_id: string }>(
    sql`select m.keyword_id, p.native_id from mention m join post p on p.id = m.post_id`,
  )
  return rows.map((row) => `${keywords.get(row.keyword_id)} | ${row.native_id}`).sort()
}

async function leftovers(): Promise<unknown> {
  const [row] = await db.query(sql`
    select (select count(*) from mention where scored_at is null) as unscored, (select count(*) from mention
      where failed) as failed,
      (select count(*) from score_queue) as queued, (select count(*) from delivery_queue) as sending,
      (select count(*) from mention m where not exists (select from delivery d where d.workspace_id = m.workspace_id
        and d.mention_id = m.id)) as undelivered,
      (select count(*) from mention where not delivered) as unmarked`)
  return row
}

/** The counters by keyword and platform, as they were kept. */
function usage(): Promise<unknown> {
  return db.query(sql`
    select keyword_id, platform, sum(matched)::int as matched, sum(scored)::int as scored,
      sum(billable)::int as billable, sum(relevant)::int as relevant
    from usage_day group by 1, 2 order by 1, 2`)
}

/** The same from the mentions themselves. */
function recount(): Promise<unknown> {
  return db.query(sql`
    select keyword_id, platform, count(*)::int as matched, count(scored_at)::int as scored, count(scored_at)::int as
      billable,
      (count(*) filter (where relevance >= 40))::int as relevant
    from mention group by 1, 2 order by 1, 2`)
}
