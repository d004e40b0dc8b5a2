import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { platformNumber } from '../../src/domain/platform/platforms.ts'
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS, systemClock } from '../../src/kernel/clock.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createSealer } from '../../src/kernel/sealing.ts'
import { PlaceAsker } from '../../src/pipeline/collect/place-asker.ts'
import { createEnrich } from '../../src/pipeline/read/enrich.ts'
import type { ContextFor } from '../../src/pipeline/read/read.ts'
import { StoreStage } from '../../src/pipeline/store/store-stage.ts'
import { createCollectContext } from '../../src/sources/collect-context.ts'
import { feeds } from '../../src/sources/feeds/source.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { ErasedAuthors } from '../../src/store/erasure/erased-authors.ts'
import { readDuePlaces, readNextDuePlace } from '../../src/store/source/places.ts'
import { announceCollector, renewLeases, takeSources } from '../../src/store/source/source-leases.ts'
import { registerSources } from '../../src/store/source/source-state.ts'
import { createMetrics } from '../../test/metrics.ts'
import { SECRET_KEY } from '../../test/stand-ins/seeded.ts'
import { serverSeconds } from '../ingest/processor-time.ts'

const LOOKS = 400
/** Polls that are measured, of the due ones. */
const POLLS = 1500
const FEEDS_A_HOST = 2
const INTERVAL_SECONDS = 900
/** Of ten polls, one brings a new item; the others are answered 304. */
const NEWS_EVERY = 10
const ITEMS = 25
/** For all polls that are measured together. */
const LONGEST_MS = 2 * MINUTE_MS
/** One for all sizes, because a lease outlives a measurement. */
const HOLDER = newUuid(systemClock.now())

export interface MeasuredPlaces {
  size: number
  lookMs: number
  /** Of one core, for this many feeds every 15 minutes; null where it cannot be known. */
  coreShare: number | null
}

/**
 * As many feeds on half as many hosts, in a database for each size. Looks alternate between them, because a look takes
 * less time than the machine's moods. Only the last size is polled.
 */
export async function measurePlaces(places: readonly { db: Database; size: number }[]): Promise<MeasuredPlaces[]> {
  for (const { db, size } of places) await seed(db, size)
  const tookMs = places.map((): number[] => [])
  for (let look = 0; look < LOOKS; look += 1)
    for (const [at, { db }] of places.entries()) {
      const beganMs = performance.now()
      await readDuePlaces(db, { platform: 'feeds', at: systemClock.now(), except: [], limit: 64 })
      await readNextDuePlace(db, 'feeds', [])
      tookMs[at]!.push(performance.now() - beganMs)
    }
  const { db, size } = places.at(-1)!
  const secondsAPoll = await pollSome(db, Math.min(POLLS, size))
  const coreShare = secondsAPoll === null ? null : (secondsAPoll * size) / INTERVAL_SECONDS
  return places.map((place, at) => ({
    size: place.size,
    lookMs: tookMs[at]!.sort((one, other) => one - other)[LOOKS / 2]!,
    coreShare: place.size === size ? coreShare : null,
  }))
}

async function seed(db: Database, size: number): Promise<void> {
  const at = systemClock.now()
  const ids = Array.from({ length: size }, () => newUuid(at))
  const hosts = ids.map((_, number) => `site-${Math.floor(number / FEEDS_A_HOST)}.example`)
  const addresses = hosts.map((host, number) => `https://${host}/feed-${number % FEEDS_A_HOST}`)
  await db.query(sql`delete from place`)
  await db.query(sql`
    insert into place (id, platform, address, host, by_operator, named_at, due_at)
    select id, ${platformNumber('feeds')}, address, host, true, ${at},
        ${at}::timestamptz + interval '1 minute' + random() * interval '14 minutes'
    from unnest(${ids}::uuid[], ${addresses}::text[], ${hosts}::text[]) as t (id, address, host)`)
  await db.query(sql`vacuum analyze place`)
}

/** Seconds of processor time for each poll, of this process with its stand-in server and of the database. */
async function pollSome(db: Database, polls: number): Promise<number | null> {
  const [clock, log, metrics] = [systemClock, silentLog, createMetrics()]
  const site = await startSite()
  const at = clock.now()
  await takeFeeds(db, at)
  const contextFor: ContextFor = (of, now, signal) =>
    createCollectContext(of, { address: site.address, userAgent: 'bench', at: now, signal, log })
  const erased = new ErasedAuthors(createSealer(SECRET_KEY))
  const options = {
    db,
    clock,
    log,
    metrics,
    read: () => {
      throw new Error('nothing is read here but feeds')
    },
    store: new StoreStage({
      db,
      clock,
      log,
      metrics,
      erased,
      metered: true,
      partitions: 1,
      mentionDays: null,
      onMentions: null,
    }),
    watch: {
      match: () => null,
      find: () => null,
      caughtUp: async () => undefined,
      admitted: () => null,
      noteRejected: () => undefined,
    },
    enrich: createEnrich({ db, clock, log, metrics, contextFor }),
    contextFor,
    contextAside: contextFor,
  }
  const ending = new AbortController()
  const asker = new PlaceAsker(feeds({ named: [] }), { source: 'feeds', holder: HOLDER }, options)
  const running = asker.run(ending.signal)
  const used = async () => {
    const server = await serverSeconds(db)
    const { user, system } = process.cpuUsage()
    return server === null ? null : server + (user + system) / 1_000_000
  }
  const pollAll = async () => {
    await db.query(sql`
      update place set due_at = ${plus(at, -SECOND_MS)} where id in (select id from place order by id limit ${polls})`)
    asker.wake()
    const lastMs = clock.monotonicMs() + LONGEST_MS
    for (let due = polls; due > 0; await clock.wait(50)) {
      if (clock.monotonicMs() > lastMs) throw new Error(`${due} of ${polls} feeds were not read in time`)
      const [row] = await db.query<{ due: number }>(sql`select count(*)::int as due from place where due_at <= ${at}`)
      due = row!.due
    }
  }
  // The first polls, which read robots.txt and whole feeds, come once a day and are not measured.
  await pollAll()
  const before = await used()
  await pollAll()
  const after = await used()
  ending.abort()
  await running
  await site.close()
  return before === null || after === null ? null : (after - before) / polls
}

async function takeFeeds(db: Database, at: Date): Promise<void> {
  await db.transaction((tx) => registerSources(tx, [{ source: 'feeds', scheduled: true }], at))
  const lease = { holder: HOLDER, at, leasedUntil: plus(at, HOUR_MS) }
  await renewLeases(db, lease)
  await announceCollector(db)
  await takeSources(db, { ...lease, sources: ['feeds'], limit: 1 })
}

async function startSite(): Promise<{ address: string; close(): Promise<void> }> {
  let asked = 0
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/robots.txt')) return void response.writeHead(404).end()
    asked += 1
    // Who has not read a feed before gets all of it.
    const isNew = asked % NEWS_EVERY === 0 || request.headers['if-none-match'] === undefined
    if (!isNew) return void response.writeHead(304).end()
    return void response.writeHead(200, { etag: `"${asked}"` }).end(feedOf(asked))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(30)

function feedOf(number: number): string {
  const items = Array.from({ length: ITEMS }, (_, place) => {
    const link = `https://site.example/${number}-${place}`
    const when = new Date().toUTCString()
    const parts = `<link>${link}</link><guid>${link}</guid><pubDate>${when}</pubDate><description>${TEXT}</description>`
    return `<item><title>Item ${place}</title>${parts}</item>`
  })
  const channel = `<title>Site</title><link>https://site.example</link>${items.join('')}`
  return `<?xml version="1.0"?><rss version="2.0"><channel>${channel}</channel></rss>`
}
