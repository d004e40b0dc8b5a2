import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAlert } from '../../src/commands/alerts/create-alert.ts'
import { createChannel } from '../../src/commands/channels/create-channel.ts'
import { plus, SECOND_MS, systemClock } from '../../src/kernel/clock.ts'
import { newUuid, type Uuid } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import type { DeliverStage } from '../../src/pipeline/deliver/deliver.ts'
import type { ScoreStage } from '../../src/pipeline/score/score.ts'
import { type Database, sql } from '../../src/store/database.ts'
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../../src/store/migrate.ts'
import { readUnscored, type Unscored } from '../../src/store/model/unscored.ts'
import { accepted, stored } from '../../test/makers.ts'
import { SECRET_KEY, seedKeywords, seedWorkspaces, servicesOn } from '../../test/stand-ins/seeded.ts'
import type { Order } from './receivers.ts'
import type { SecondOrder } from './second-process.ts'
import { openBenchDatabase, startStages } from './working-stages.ts'

export const RECEIVERS = 100
/** Channels of each workspace; a mention goes to all of them. */
export const FAN_OUT = 5
const WORKSPACES = RECEIVERS / FAN_OUT
const PORTION = 5000

/** A second working process. */
export interface Second {
  /** As `score.add` does, in that process. */
  add(mentions: readonly Unscored[]): Promise<void>
  /** How much it has in hand. */
  left(): Promise<number>
  end(): Promise<void>
}

/** The two stages on a database of their own, and a process full of receivers. */
export interface Stage {
  db: Database
  deliver: DeliverStage
  score: ScoreStage
  /** By receiver. */
  channels: readonly Uuid[]
  /** Stores mentions, spread over the workspaces in turn, that wait for their score, and answers them whole. */
  makeMentions(count: number): Promise<Unscored[]>
  tell<Answer>(order: Order): Promise<Answer>
  /** Another working process on the same database. */
  startSecond(): Promise<Second>
  /**
   * Processor time used so far, in microseconds, that of the second process counted as our own; that of other processes
   * is known on Linux only.
   */
  cpu(): { own: number; database: number; receivers: number }
  close(): Promise<void>
}

export async function setUp(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    return { ...(await setUpIn(dataDir, closing)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function setUpIn(dataDir: string, closing: (() => unknown)[]): Promise<Omit<Stage, 'close'>> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  closing.push(() => postgres.stop())
  await migrateDatabase(postgres.connectionString)
  const db = openBenchDatabase(postgres.connectionString)
  closing.push(() => db.close())
  const receivers = startProcess('receivers.ts')
  closing.push(() => receivers.kill('SIGKILL'))
  const tell = <Answer>(order: Order) => ask<Answer>(receivers, order)
  const ports = await tell<number[]>({ kind: 'listen', count: RECEIVERS })

  const services = servicesOn(db)
  closing.push(() => services.close())
  const workspaces = await seedWorkspaces(services, WORKSPACES)
  await seedKeywords(db, workspaces, WORKSPACES, (number) => `term ${number}`)
  const keywords = await db.query<{ id: Uuid; workspace_id: Uuid }>(
    sql`select id, workspace_id from keyword order by id`,
  )
  const { channels, secrets } = await seedChannels(services, workspaces, ports)
  await tell({ kind: 'secrets', secrets })

  const { deliver, score, close: endStages } = startStages(services)
  closing.push(endStages)
  const seconds = new Set<ChildProcess>()
  const postmaster = await postmasterOf(db)
  return {
    db,
    deliver,
    score,
    channels,
    tell,
    cpu: () => processorTime(seconds, postmaster, receivers),
    startSecond: () => startSecond(seconds, closing, postgres.connectionString),
    makeMentions: (count) => makeMentions(db, keywords, count),
  }
}

/** The channels of each workspace, all of which get everything. */
async function seedChannels(
  services: ReturnType<typeof servicesOn>,
  workspaces: readonly Uuid[],
  ports: readonly number[],
): Promise<{ channels: Uuid[]; secrets: string[] }> {
  const channels: Uuid[] = []
  const secrets: string[] = []
  for (const workspaceId of workspaces) {
    const writing = { ...services, workspaceId }
    const own: Uuid[] = []
    for (let number = 0; number < FAN_OUT; number += 1) {
      const url = `http://127.0.0.1:${ports[channels.length]}/hook`
      const channel = accepted(await createChannel(writing, { kind: 'webhook', url }))
      own.push(stored('dest', channel.id))
      channels.push(own.at(-1)!)
      secrets.push((channel.config as { secret: string }).secret)
    }
    accepted(
      await createAlert(writing, {
        name: 'All',
        mode: 'instant',
        event: 'mention.matched',
        filter: {},
        channelIds: own,
        enabled: true,
      }),
    )
  }
  return { channels, secrets }
}

async function startSecond(
  seconds: Set<ChildProcess>,
  closing: (() => unknown)[],
  connection: string,
): Promise<Second> {
  const child = startProcess('second-process.ts')
  seconds.add(child)
  closing.push(() => child.kill('SIGKILL'))
  const order = (given: SecondOrder) => ask<number>(child, given)
  await order({ kind: 'begin', connection, secretKey: SECRET_KEY })
  return {
    add: async (mentions) => void (await order({ kind: 'add', mentions })),
    left: () => order({ kind: 'left' }),
    async end() {
      await order({ kind: 'end' })
      seconds.delete(child)
      child.kill('SIGKILL')
    },
  }
}

async function postmasterOf(db: Database): Promise<number | undefined> {
  const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return processes().find(({ pid }) => pid === backend!.pid)?.parent
}

function processorTime(
  seconds: ReadonlySet<ChildProcess>,
  postmaster: number | undefined,
  receivers: ChildProcess,
): { own: number; database: number; receivers: number } {
  const all = processes()
  const sum = (fits: (running: Process) => boolean) => all.filter(fits).reduce((us, { cpuUs }) => us + cpuUs, 0)
  const { user, system } = process.cpuUsage()
  const helping = new Set([...seconds].map(({ pid }) => pid))
  return {
    own: user + system + sum(({ pid }) => helping.has(pid)),
    database: sum(({ pid, parent }) => pid === postmaster || parent === postmaster),
    receivers: sum(({ pid }) => pid === receivers.pid),
  }
}

interface Process {
  pid: number
  parent: number
  cpuUs: number
}

/** A tick of the kernel's account of processes. */
const TICK_US = 10_000

function processes(): Process[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    const stat = readStat(name)
    if (stat === null) return []
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [
      { pid: Number(name), parent: Number(fields[1]), cpuUs: (Number(fields[11]) + Number(fields[12])) * TICK_US },
    ]
  })
}

/** Null when the process has ended while its neighbours were being read. */
function readStat(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}

function startProcess(file: string): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return fork(path, { execArgv: ['--import', 'tsx'], serialization: 'advanced' })
}

async function ask<Answer>(child: ChildProcess, order: Order | SecondOrder): Promise<Answer> {
  const answered = once(child, 'message')
  child.send(order)
  const [answer] = await answered
  return answer as Answer
}

const TEXT = (
  'Has anybody compared the export of this tool with the one that we used last year? I could not find prices for ' +
  'small teams, '
).repeat(2)

/** Past matching, in bulk: posts of some 250 characters, their mentions, and their places in the queue for scores. */
async function makeMentions(
  db: Database,
  keywords: readonly { id: Uuid; workspace_id: Uuid }[],
  count: number,
): Promise<Unscored[]> {
  const made: Unscored[] = []
  for (let begin = 0; begin < count; begin += PORTION) {
    const at = systemClock.now()
    const rows = Array.from({ length: Math.min(PORTION, count - begin) }, (_, offset) => {
      const keyword = keywords[(begin + offset) % keywords.length]!
      return { workspaceId: keyword.workspace_id, keywordId: keyword.id, mentionId: newUuid(at), postId: newUuid(at) }
    })
    const columns = [
      rows.map((row) => row.workspaceId),
      rows.map((row) => row.mentionId),
      rows.map((row) => row.keywordId),
      rows.map((row) => row.postId),
      at,
    ]
    const names = 'unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as t (workspace_id, id, keyword_id, post_id)'
    const author = JSON.stringify({
      id: 'did:plc:a',
      name: 'Somebody',
      handle: 'somebody.example',
      url: 'https://bsky.app/profile/somebody.example',
      avatarUrl: null,
      followers: 1200,
      automated: null,
    })
    await db.run(
      'bench-posts',
      `insert into post (id, platform, native_id, url, body, links, published_at, language_hint, author_id, author,
         engagement, collected_at)
       select post_id, 1, post_id::text, 'https://bsky.app/profile/somebody.example/post/' || post_id, $6 || post_id,
         '{https://example.com/a}', $5, 'en', 'did:plc:a', $7::jsonb,
         '{"likes": 3, "reposts": 1, "replies": 0, "quotes": null, "views": null, "bookmarks": null}', $5
       from ${names}`,
      [...columns, TEXT, author],
    )
    await db.run(
      'bench-mentions',
      `insert into mention (workspace_id, id, keyword_id, post_id, created_at, published_at, platform, is_reply,
         followers, facets)
       select workspace_id, id, keyword_id, post_id, $5, $5, 1, false, 1200, '{1,2,3}' from ${names}`,
      columns,
    )
    await db.run(
      'bench-queue',
      `insert into score_queue (workspace_id, mention_id, leased_until) select workspace_id, id, $5 from ${names}`,
      [...columns.slice(0, 4), plus(at, 3600 * SECOND_MS)],
    )
    made.push(...(await readUnscored(db, rows)))
  }
  // What the server would do by itself within a minute of a real installation's life.
  await db.query(sql`analyze mention, post, delivery, keyword, channel, alert, alert_channel`)
  return made
}
