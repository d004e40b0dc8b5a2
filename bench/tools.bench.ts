import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { createKeyword } from '../src/commands/keywords/create-keyword.ts'
import { ingestPosts } from '../src/commands/mentions/ingest-posts.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { toId } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { openDatabase } from '../src/store/database.ts'
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts'
import { migrateDatabase } from '../src/store/migrate.ts'
import { accepted, madeUpPost, stored } from '../test/makers.ts'
import { seedWorkspaces, servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { type Serving, serve } from './serving.ts'
import { readTexts } from './texts.ts'
import type { Load, Outcome } from './tools/caller.ts'
import { clientRows } from './tools/client-package.ts'
import { listRows } from './tools/lists.ts'
import { taskRows } from './tools/tasks.ts'

const CONNECTIONS = 8
const MENTIONS = 200

/**
 * What a call over the tool server costs beside the same call over REST: same service, same database, in turn. Also
 * what a model reads, and the size of the client package.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await raise()
  try {
    const calls = quick ? 600 : 2000
    const rows: BenchRow[] = []
    for (const question of questionsFor(stage.mentionId))
      rows.push(...(await compare(stage, question, calls, quick ? 3 : 7)))
    return [...rows, ...listRows(), ...(await taskRows()), ...(await clientRows())]
  } finally {
    await stage.close()
  }
}

interface Stage extends Serving {
  key: string
  mentionId: string
}

/** One question in two forms. */
interface Question {
  path: string
  tool: string
  args: object
  /** How many of it are asked, for each of the shortest. */
  share: number
  /** True for the one whose own work is so little that what is measured is the way there. */
  bare: boolean
}

function questionsFor(mentionId: string): Question[] {
  return [
    { path: '/v1/whoami', tool: 'get_identity', args: {}, share: 1, bare: true },
    { path: `/v1/mentions/${mentionId}`, tool: 'get_mention', args: { id: mentionId }, share: 0.5, bare: false },
    { path: '/v1/mentions?limit=25', tool: 'search_mentions', args: { limit: 25 }, share: 0.25, bare: false },
  ]
}

async function raise(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  await migrateDatabase(postgres.connectionString)
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog })
  const services = servicesOn(db)
  const [workspaceId] = await seedWorkspaces(services, 1)
  const writing = { ...services, workspaceId: workspaceId! }
  const { key } = accepted(await createApiKey(writing, { name: 'bench', scope: 'write', expiresAt: null }))
  const mentionId = await seedMentions(writing)
  const serving = await serve({ services, db, postgres, caller: 'tools/caller.ts' })
  return {
    ...serving,
    key,
    mentionId,
    async close() {
      await serving.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function seedMentions(writing: Parameters<typeof createKeyword>[0]): Promise<string> {
  const at = systemClock.now()
  const keyword = { kind: 'brand', muted: false, platforms: null, context: null, cap: null, reviewSources: [] } as const
  const { id } = accepted(await createKeyword(writing, { term: 'coffee', ...keyword }))
  const matched = (await readTexts()).slice(0, MENTIONS).map((text) => ({
    post: madeUpPost(at, text),
    words: ['coffee'],
    authorKeys: ['somebody.example'],
    keywords: [{ workspaceId: writing.workspaceId, keywordId: stored('kw', id) }],
  }))
  const [mention] = await writing.db.transaction((tx) =>
    ingestPosts(tx, matched, { at, metered: true, leasedUntil: at }),
  )
  return toId('mtn', mention!.mentionId)
}

/** Ways to ask; the last one is taken by clients of an unusual form only, and shows what the quick way saves. */
const WAYS = ['rest', 'current', 'older', 'library'] as const
type Way = (typeof WAYS)[number]

/** Milliseconds for each call: by the clock, and of the processor in the process of the service. */
interface Cost {
  clockMs: number
  processorMs: number
}

async function compare(stage: Stage, question: Question, calls: number, rounds: number): Promise<BenchRow[]> {
  const ways = WAYS.filter((way) => way !== 'library' || question.bare)
  const costs = new Map<Way, Cost[]>(ways.map((way) => [way, []]))
  for (const way of ways) await measure(stage, question, way, Math.round((calls * question.share) / 2))
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways)
      costs.get(way)!.push(await measure(stage, question, way, Math.round(calls * question.share)))
  const best = (way: Way, of: keyof Cost) => Math.min(...costs.get(way)!.map((cost) => cost[of]))
  const times = (way: Way, of: keyof Cost) => best(way, of) / best('rest', of)
  const perSecond = Math.round(1000 / best('current', 'clockMs'))
  const rest = `REST ${Math.round(1000 / best('rest', 'clockMs'))}`
  return [
    {
      measure: `${question.tool}, calls a second`,
      value: perSecond,
      unit: 'calls/s',
      ...(question.bare ? { must: 2000 } : {}),
      peer: rest,
      note:
        `best of ${rounds} rounds over ${CONNECTIONS} connections; in the older protocol ` +
        `${Math.round(1000 / best('older', 'clockMs'))}`,
    },
    {
      measure: `${question.tool}, time of REST`,
      value: Number(times('current', 'clockMs').toFixed(2)),
      unit: 'times',
      better: 'lower',
      must: 2,
      goal: 1.5,
      note:
        `by processor time ${times('current', 'processorMs').toFixed(2)}; in the older protocol ` +
        `${times('older', 'clockMs').toFixed(2)} and ${times('older', 'processorMs').toFixed(2)}`,
    },
    ...(question.bare
      ? [
          {
            measure: `${question.tool}, time of REST when the library answers`,
            value: Number(times('library', 'clockMs').toFixed(2)),
            unit: 'times',
            better: 'lower' as const,
            note: `by processor time ${times('library', 'processorMs').toFixed(2)}; for calls in an unusual form`,
          },
        ]
      : []),
  ]
}

async function measure({ port, key, caller }: Stage, question: Question, way: Way, calls: number): Promise<Cost> {
  const before = process.cpuUsage()
  const outcome = await new Promise<Outcome>((resolve) => {
    caller.once('message', (message) => resolve(message as Outcome))
    caller.send({ port, request: requestFor(question, way, key), connections: CONNECTIONS, calls } satisfies Load)
  })
  if ('failed' in outcome) throw new Error(`${question.tool}, ${way}: ${outcome.failed}`)
  const { user, system } = process.cpuUsage(before)
  return { clockMs: outcome.tookMs / calls, processorMs: (user + system) / 1000 / calls }
}

function requestFor({ path, tool, args }: Question, way: Way, key: string): string {
  const common = {
    host: 'localhost:4400',
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
  }
  if (way === 'rest') return rawRequest('GET', path, common, '')
  const older = { name: tool, arguments: args }
  const params = way === 'older' ? older : { ...older, _meta: ENVELOPE }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers =
    way === 'older'
      ? { 'mcp-protocol-version': '2025-11-25' }
      : {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': way === 'library' ? `=?base64?${btoa(tool)}?=` : tool,
        }
  return rawRequest(
    'POST',
    '/mcp',
    { ...common, ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
    body,
  )
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
}

function rawRequest(method: string, path: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
