import { type ChildProcess, fork } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../src/commands/api-keys/create-api-key.ts'
import type { Uuid } from '../src/kernel/ids.ts'
import { silentLog } from '../src/kernel/log.ts'
import { hashPassword } from '../src/kernel/passwords.ts'
import { openDatabase, sql } from '../src/store/database.ts'
import { createRestServer } from '../src/surfaces/rest/server.ts'
import { accepted } from '../test/makers.ts'
import { createPerson } from '../test/people.ts'
import { servicesOn } from '../test/stand-ins/seeded.ts'
import { UNLIMITED } from '../test/unlimited.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import { openStore } from './mentions/store.ts'
import type { Flood, Flooded } from './neighbours/flood.ts'
import { SIGN_IN, type Visit, type Visited } from './neighbours/neighbour.ts'
import { quantile } from './quantiles.ts'

const AT_ONCE = 60
const PASSWORD = 'correct horse battery staple'
/** By so much more may the slowest answers of a neighbour take. */
const TIMES_MOST = 3

/**
 * One workspace asks sixty dear questions at a time, another one reads what is plain and signs in: its times alone and
 * during the flood, in turns, so that what else the machine does meets both. The limit by the minute is not in the way:
 * what holds the flood is what runs at once.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const stage = await raise(quick)
  try {
    const [rounds, forMs] = quick ? [2, 8000] : [5, 20_000]
    await stage.visit(2000)
    const alone: Visited[] = []
    const during: Visited[] = []
    const floods: Flooded[] = []
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await stage.visit(forMs))
      const flood = stage.flood()
      await wait(1000)
      during.push(await stage.visit(forMs))
      floods.push(await flood.stop())
    }
    for (const flood of floods) console.log(`the flood was answered ${JSON.stringify(flood)}`)
    return rowsOf(stage.paths, alone, during)
  } finally {
    await stage.close()
  }
}

interface Stage {
  /** What the neighbour reads. */
  paths: readonly string[]
  visit(forMs: number): Promise<Visited>
  flood(): { stop(): Promise<Flooded> }
  close(): Promise<void>
}

async function raise(quick: boolean): Promise<Stage> {
  const scale = quick ? { measured: [6000, 60_000], others: 60_000 } : { measured: [12_000, 120_000], others: 240_000 }
  const { postgres, workspaces } = await openStore(scale, 'earshot-bench-neighbours-')
  const db = openDatabase({ connection: postgres.connectionString, poolSize: 12, callerConnections: 8, log: silentLog })
  const services = servicesOn(db)
  const keyOf = async (workspaceId: Uuid) =>
    accepted(await createApiKey({ ...services, workspaceId }, { name: 'bench', scope: 'read', expiresAt: null })).key
  const [neighbour, flooding] = workspaces
  const { userId, email } = await createPerson(services, neighbour!.id, 'owner')
  await db.query(sql`update user_account set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}`)
  const keys = { neighbour: await keyOf(neighbour!.id), flooding: await keyOf(flooding!.id) }
  const server = createRestServer({ services, log: silentLog, limits: UNLIMITED })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const paths = ['/v1/groups', '/v1/mentions?limit=50', '/v1/mentions?limit=50&relevant=true', '/v1/whoami']
  const [visiting, storming] = [processOf('neighbour'), processOf('flood')]
  return {
    paths,
    visit: (forMs) =>
      told(visiting, {
        port,
        key: keys.neighbour,
        paths,
        origin: services.publicUrl,
        email,
        password: PASSWORD,
        forMs,
      } satisfies Visit),
    flood() {
      const flooded = told<Flooded>(storming, {
        port,
        key: keys.flooding,
        paths: dearPaths(),
        atOnce: AT_ONCE,
      } satisfies Flood)
      return {
        stop: () => {
          storming.send('stop')
          return flooded
        },
      }
    },
    async close() {
      for (const process of [visiting, storming]) process.kill()
      await server.close()
      await services.close()
      await db.close()
      await postgres.stop()
    },
  }
}

function processOf(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`neighbours/${name}.ts`, import.meta.url)), { execArgv: ['--import', 'tsx'] })
}

function told<Answer>(process: ChildProcess, what: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a process of the benchmark ended before it answered'))
    process.once('exit', ended)
    process.once('message', (message) => {
      process.off('exit', ended)
      resolve(message as Answer)
    })
    process.send(what)
  })
}

/** Ten groups that leave out forty hosts and authors each, asked of what goes through every mention. */
function dearPaths(): string[] {
  const list = (name: string, group: number) =>
    Array.from({ length: 20 }, (_, at) => `${name}-${20 * group + at}.example`)
  const groups = Array.from({ length: 10 }, (_, group) => ({
    notLinkHosts: list('host', group),
    excludeAuthors: list('author', group),
  }))
  const anyOf = `anyOf=${encodeURIComponent(JSON.stringify(groups))}`
  return [
    `/v1/mentions?limit=100&sort=engagement&${anyOf}`,
    `/v1/mentions/count?${anyOf}`,
    ...['series', 'summary', 'share-of-voice'].map((name) => `/v1/analytics/${name}?range=365d&${anyOf}`),
  ]
}

function rowsOf(paths: readonly string[], alone: readonly Visited[], during: readonly Visited[]): BenchRow[] {
  const all = (visits: readonly Visited[], names: readonly string[]) =>
    visits.flatMap(({ tookMs }) => names.flatMap((name) => tookMs[name]!))
  const failed = (visits: readonly Visited[]) => visits.reduce((sum, visit) => sum + visit.failed, 0)
  const kinds = [
    ['plain reads', paths],
    ['signing in', [SIGN_IN]],
  ] as const
  return [
    ...kinds.flatMap(([name, names]): BenchRow[] => {
      const [calm, stormy] = [all(alone, names), all(during, names)]
      return [
        ...[0.5, 0.99].map((part) => ({
          measure: `${name}, p${part * 100} during the flood`,
          value: quantile(stormy, part),
          unit: 'ms',
          peer: `alone ${quantile(calm, part).toFixed(1)}`,
          note: `${stormy.length} answers, alone ${calm.length}`,
        })),
        {
          measure: `${name}, p99 during the flood against alone`,
          value: quantile(stormy, 0.99) / quantile(calm, 0.99),
          unit: 'times',
          better: 'lower',
          must: TIMES_MOST,
        },
      ]
    }),
    {
      measure: 'answers to the neighbour that were failures',
      value: failed(during),
      unit: 'answers',
      better: 'lower',
      must: 0,
      peer: `alone ${failed(alone)}`,
    },
  ]
}
