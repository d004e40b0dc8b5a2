import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import { silentLog } from '../src/kernel/log.ts'
import { openDatabase } from '../src/store/database.ts'
import { COMPAT_ROOT } from '../src/surfaces/compat/paths.ts'
import { accepted } from '../test/makers.ts'
import { servicesOn } from '../test/stand-ins/seeded.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { scaleOf } from './mentions/scale.ts'
import { openStore } from './mentions/store.ts'
import { type Serving, serve } from './serving.ts'
import type { Load, Outcome } from './tools/caller.ts'

/** The compatibility interface may take so many times as long as the same question at `/v1`. */
const MUST = 1.3

/** One question in two forms. */
interface Twins {
  name: string
  compat: { method: 'GET' | 'POST'; path: string; body?: object }
  v1: string
  /** How many of it are asked, for each of the shortest. */
  share: number
}

const RELEVANT = 'minRelevance=40'

const TWINS: readonly Twins[] = [
  {
    name: 'list of 20',
    compat: { method: 'POST', path: '/mentions', body: { limit: 20 } },
    v1: `/v1/mentions?sort=published&limit=20&${RELEVANT}`,
    share: 1,
  },
  {
    name: 'list of 100',
    compat: { method: 'POST', path: '/mentions', body: { limit: 100 } },
    v1: `/v1/mentions?sort=published&limit=100&${RELEVANT}`,
    share: 0.5,
  },
  {
    name: 'list of 20, two sources and a sentiment',
    compat: {
      method: 'POST',
      path: '/mentions',
      body: { limit: 20, filters: { source: ['twitter', 'github'], sentiment: ['negative'] } },
    },
    v1: `/v1/mentions?sort=published&limit=20&platforms=x,github&sentiments=negative&${RELEVANT}`,
    share: 1,
  },
  {
    name: 'count by day of 30 days',
    compat: { method: 'GET', path: '/analytics/volume' },
    v1: `/v1/analytics/series?interval=day&${RELEVANT}`,
    share: 0.1,
  },
]

/** What a question costs at the compatibility interface beside the same one at `/v1`: same service, in turn. */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await raise(quick)
  try {
    const rows: BenchRow[] = []
    for (const twins of TWINS) rows.push(...(await compare(stage, twins, quick ? 100 : 400, quick ? 3 : 7)))
    return rows
  } finally {
    await stage.close()
  }
}

interface Stage extends Serving {
  key: string
}

async function raise(quick: boolean): Promise<Stage> {
  const { postgres, workspaces } = await openStore(scaleOf(quick))
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 10, log: silentLog })
  const services = servicesOn(db)
  const workspaceId = workspaces.at(-1)!.id
  const { key } = accepted(
    await createApiKey({ ...services, workspaceId }, { name: 'bench', scope: 'read', expiresAt: null }),
  )
  return { key, ...(await serve({ services, db, postgres, caller: 'tools/caller.ts' })) }
}

/** The first round makes caches warm and numbers what is shown, and is not counted. */
async function compare(
  stage: Stage,
  { name, compat, v1, share }: Twins,
  calls: number,
  rounds: number,
): Promise<BenchRow[]> {
  const times = Math.max(5, Math.round(calls * share))
  const ways = {
    compat: requestOf(stage.key, compat.method, `${COMPAT_ROOT}${compat.path}`, compat.body),
    v1: requestOf(stage.key, 'GET', v1),
  }
  const took = { compat: [] as number[], v1: [] as number[] }
  for (let round = 0; round <= rounds; round += 1)
    for (const way of ['v1', 'compat'] as const) {
      const each = await send(stage, ways[way], times, `${name}, ${way}`)
      if (round > 0) took[way].push(each)
    }
  const [ours, theirs] = [medianOf(took.compat), medianOf(took.v1)]
  return [
    { measure: `${name}, time at /v1`, value: theirs, unit: 'ms', better: 'lower' },
    { measure: `${name}, time here`, value: ours, unit: 'ms', better: 'lower' },
    { measure: `${name}, times as long as at /v1`, value: ours / theirs, unit: 'times', must: MUST, better: 'lower' },
  ]
}

/** Milliseconds a call, one at a time. */
async function send({ caller, port }: Stage, request: string, calls: number, what: string): Promise<number> {
  const outcome = await new Promise<Outcome>((resolve) => {
    caller.once('message', (message) => resolve(message as Outcome))
    caller.send({ port, request, connections: 1, calls } satisfies Load)
  })
  if ('failed' in outcome) throw new Error(`${what}: ${outcome.failed}`)
  return outcome.tookMs / calls
}

function requestOf(key: string, method: string, path: string, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost:4400',
    `authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
