import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/kernel/clock.ts'
import { silentLog } from '../src/kernel/log.ts'
import { registerMetrics } from '../src/kernel/metrics.ts'
import { newSecret } from '../src/kernel/secrets.ts'
import { Cell } from '../src/surfaces/door/cell.ts'
import { createDoorServer } from '../src/surfaces/door/door-server.ts'
import { DOOR_METRICS } from '../src/surfaces/door/metrics.ts'
import type { BenchOptions, BenchRow } from './contract.ts'
import type { Load, Outcome } from './tools/caller.ts'

const CONNECTIONS = 32

/**
 * What the door costs a request of a key that it knows: the door in this process, a cell that does next to nothing and
 * the caller in processes of their own.
 */
export async function run({ quick }: BenchOptions): Promise<BenchRow[]> {
  const calls = quick ? 4000 : 20_000
  const rounds = quick ? 3 : 5
  const cellProcess = forked('./door/stand-in-cell.ts')
  const caller = forked('./tools/caller.ts')
  const [port] = (await once(cellProcess, 'message')) as [number]
  const cell = new Cell(
    { name: 'one', origin: `http://127.0.0.1:${port}` },
    { secret: 'x'.repeat(32), clock: systemClock },
  )
  const server = createDoorServer({
    ...{ cells: [cell], newCell: cell, publicUrl: 'http://localhost:4400', clock: systemClock, log: silentLog },
    ...{ metrics: registerMetrics(DOOR_METRICS), operators: [], trustedProxies: [] },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const door = (server.address() as AddressInfo).port
    const results: Record<'through' | 'direct', Cost>[] = []
    for (let round = 0; round < rounds; round += 1)
      results.push({ through: await measure(caller, door, calls), direct: await measure(caller, port, calls) })
    const best = (pick: (result: (typeof results)[number]) => number) => Math.min(...results.map(pick))
    return [
      {
        measure: 'requests through the door',
        value: Math.round(1000 / best(({ through }) => through.clockMs)),
        unit: 'requests/s',
        must: 2000,
        peer: `without it ${Math.round(1000 / best(({ direct }) => direct.clockMs))}`,
        note: `best of ${rounds} rounds over ${CONNECTIONS} connections`,
      },
      {
        measure: 'processor time of the door',
        value: Math.round(best(({ through }) => through.processorMs) * 1000),
        unit: 'µs/request',
        better: 'lower',
        must: 400,
      },
    ]
  } finally {
    server.closeAllConnections()
    server.close()
    await cell.close()
    cellProcess.kill()
    caller.kill()
  }
}

function forked(module: string): ChildProcess {
  return fork(fileURLToPath(new URL(module, import.meta.url)), { execArgv: ['--import', 'tsx'] })
}

interface Cost {
  clockMs: number
  processorMs: number
}

async function measure(caller: ChildProcess, port: number, calls: number): Promise<Cost> {
  const key = newSecret('ref').text
  const request = `GET /v1/whoami HTTP/1.1\r\nhost: localhost:4400\r\nauthorization: Bearer ${key}\r\n\r\n`
  const before = process.cpuUsage()
  caller.send({ port, request, connections: CONNECTIONS, calls } satisfies Load)
  const [outcome] = (await once(caller, 'message')) as [Outcome]
  if ('failed' in outcome) throw new Error(outcome.failed)
  const { user, system } = process.cpuUsage(before)
  return { clockMs: outcome.tookMs / calls, processorMs: (user + system) / 1000 / calls }
}
