import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { type Database, openDatabase, sql } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { type EarshotProcess, freePort, installedEarshot, memoryMb } from '../test/stand-ins/earshot-process.ts'
import { type Jetstream, startJetstream } from '../test/stand-ins/jetstream.ts'
import { SECRET_KEY, seedKeywords, seedRules, seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'

const KEYWORDS = 10_000
const WORKSPACES = 20
/** One post in so many holds one of the terms. */
const MATCHING = 20
const TEXTS = 14_000
/** Terms that occur in matching posts; the others are looked for all the same. */
const POPULAR = 1000
const WARM_UP_SECONDS = 4
const TICK_MS = 10
const PATIENCE_MS = 60_000

/**
 * The whole way of a post through the real service in a process of its own: from the platform's feed to the stored
 * mention and to the webhook. The feed and the receiver stand in this process, so one clock stamps both ends; when a
 * mention became visible is the database's own record of its commit.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const texts = await readTexts()
  const stage = await setUp()
  try {
    const rows: BenchRow[] = []
    for (const rate of quick ? [500] : [500, 2000]) rows.push(...(await steady(stage, texts, rate, quick ? 12 : 30)))
    rows.push(...(await burst(stage, texts, quick ? 2000 : 10_000)))
    rows.push({
      measure: 'memory of the service afterwards',
      value: memoryMb([stage.service.pid]),
      unit: 'MB',
      better: 'lower',
      note: `${KEYWORDS} keywords; proportional set size`,
    })
    return rows
  } finally {
    await stage.close()
  }
}

interface Stage {
  db: Database
  jetstream: Jetstream
  service: EarshotProcess
  /** When each post's request arrived, by the post's native id. */
  receivedMs: Map<string, number>
  close(): Promise<void>
}

async function setUp(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { track_commit_timestamp: 'on' } })
  await migrateDatabase(postgres.connectionString)
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 4, log: silentLog })
  const receivedMs = new Map<string, number>()
  const [receiver, jetstream, port] = await Promise.all([startReceiver(receivedMs), startJetstream(), freePort()])
  const services = servicesOn(db)
  const workspaces = await seedWorkspaces(services, WORKSPACES)
  await seedKeywords(db, workspaces, KEYWORDS, termOf)
  await seedRules(services, workspaces, (number) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${number}`)
  await services.close()
  // What the server would do by itself within a minute of a real installation's life.
  await db.query(sql`analyze`)
  const service = installedEarshot(['start'], {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.connectionString,
    EARSHOT_SECRET_KEY: SECRET_KEY,
    PORT: String(port),
    EGRESS_ALLOW: '127.0.0.1',
    SOURCE_BLUESKY_URL: jetstream.url,
    SOURCE_HACKERNEWS_URL: 'http://127.0.0.1:9',
    EARSHOT_LOG_LEVEL: 'error',
  })
  await service.says('Earshot is running')
  await until(() => jetstream.listeners === 1)
  return {
    db,
    jetstream,
    service,
    receivedMs,
    async close() {
      service.signal('SIGTERM')
      const { stderr } = await service.ended
      if (/"level":"error"/.test(stderr)) console.error(stderr.slice(0, 5000))
      await db.close()
      await jetstream.close()
      receiver.closeAllConnections()
      receiver.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Posts at an even rate; every matching post that was sent after the warm-up counts. */
async function steady(stage: Stage, texts: readonly string[], rate: number, seconds: number): Promise<BenchRow[]> {
  const sentMs = new Map<string, number>()
  const beganMs = systemClock.monotonicMs()
  const total = rate * (WARM_UP_SECONDS + seconds)
  let lateMs = 0
  for (let sent = 0; sent < total; ) {
    const dueNow = Math.min(total, Math.floor(((systemClock.monotonicMs() - beganMs) / 1000) * rate))
    lateMs = Math.max(lateMs, ((dueNow - sent) / rate) * 1000)
    for (; sent < dueNow; sent += 1) {
      const matching = sent % MATCHING === 0
      const nativeId = stage.jetstream.post(textOf(texts, sent, matching))
      if (matching && sent >= rate * WARM_UP_SECONDS) sentMs.set(nativeId, systemClock.now().getTime())
    }
    await systemClock.wait(TICK_MS)
  }
  await until(() => [...sentMs.keys()].every((id) => stage.receivedMs.has(id)))
  const visibleMs = await commitTimes(stage.db, [...sentMs.keys()])
  const visible = [...sentMs].map(([id, ms]) => visibleMs.get(id)! - ms)
  const received = [...sentMs].map(([id, ms]) => stage.receivedMs.get(id)! - ms)
  const note = `${sentMs.size} mentions, feed at most ${Math.round(lateMs)} ms late`
  const row = (measure: string, value: number, more: Partial<BenchRow>): BenchRow => ({
    measure: `${measure}, ${rate} posts/s`,
    value,
    unit: 'ms',
    better: 'lower',
    ...more,
  })
  return [
    row('post to mention visible p50', quantile(visible, 0.5), { must: 50, goal: 10, note }),
    row('post to mention visible p99', quantile(visible, 0.99), { must: 300, goal: 50 }),
    row('post to webhook received p50', quantile(received, 0.5), { must: 50, goal: 10 }),
    row('post to webhook received p99', quantile(received, 0.99), { must: 300, goal: 50 }),
  ]
}

/** As many matching posts at once as the feed carries: what the stages sustain together. */
async function burst(stage: Stage, texts: readonly string[], count: number): Promise<BenchRow[]> {
  const beganMs = systemClock.now().getTime()
  const ids = Array.from({ length: count }, (_, number) => stage.jetstream.post(textOf(texts, number, true)))
  await until(() => ids.every((id) => stage.receivedMs.has(id)))
  const rate = (endMs: number) => Math.round(count / ((endMs - beganMs) / 1000))
  const visible = await commitTimes(stage.db, ids)
  const note = `${count} matching posts at once`
  return [
    { measure: 'mentions stored, sustained', value: rate(Math.max(...visible.values())), unit: '/s', note },
    { measure: 'mentions stored, scored and delivered, sustained', value: rate(Math.max(...ids.map((id) => stage.receivedMs.get(id)!))), unit: '/s', note },
  ]
}

/** When each post was committed together with its mentions, in milliseconds since 1970. */
async function commitTimes(db: Database, nativeIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ native_id: string; ms: number }>(sql`
    select native_id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as ms from post where native_id = any(${nativeIds}::text[])`)
  return new Map(rows.map((row) => [row.native_id, row.ms]))
}

async function startReceiver(receivedMs: Map<string, number>): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const nowMs = systemClock.now().getTime()
      const url: string = JSON.parse(Buffer.concat(chunks).toString()).data.post.url
      const [, person, key] = url.match(/profile\/([^/]+)\/post\/([^/]+)$/)!
      if (!receivedMs.has(`${person}/${key}`)) receivedMs.set(`${person}/${key}`, nowMs)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Real posts where the project's data are at hand, else made-up ones of the same length. */
async function readTexts(): Promise<string[]> {
  const path = new URL('../../shared/data/posts.jsonl', import.meta.url)
  const texts: string[] = []
  if (!existsSync(path)) return Array.from({ length: TEXTS }, (_, number) => `Post ${number} about ${'this and that '.repeat(1 + (number % 20))}`)
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { title, text } = JSON.parse(line) as { title?: string; text?: string }
    texts.push([title, text].filter(Boolean).join(' ').slice(0, 2000))
  }
  return texts
}

/** Words that occur in no text by themselves. */
function termOf(number: number): string {
  return `zq${number.toString(36)}x tool`
}

function textOf(texts: readonly string[], number: number, matching: boolean): string {
  const text = texts[number % texts.length]!
  return matching ? `${text} I tried ${termOf((number * 7919) % POPULAR)} and liked it.` : text
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

async function until(condition: () => boolean): Promise<void> {
  const giveUpAtMs = systemClock.monotonicMs() + PATIENCE_MS
  while (!condition()) {
    if (systemClock.monotonicMs() > giveUpAtMs) throw new Error('what the benchmark waits for did not happen')
    await systemClock.wait(20)
  }
}
