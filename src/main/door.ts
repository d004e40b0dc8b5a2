import { once } from 'node:events'
import type { Server } from 'node:http'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import { createLog } from '../kernel/log.ts'
import { collectRuntime, registerMetrics } from '../kernel/metrics.ts'
import { Cell } from '../surfaces/door/cell.ts'
import { closeDoorServer, createDoorServer } from '../surfaces/door/door-server.ts'
import { DOOR_METRICS } from '../surfaces/door/metrics.ts'
import { watchCells } from '../surfaces/door/watch-cells.ts'
import { readOperatorAddresses } from '../surfaces/rest/metrics.ts'
import { settingsOfProcess } from './installation.ts'
import { listenOn, shownAddress } from './listening.ts'
import { checkRole } from './role.ts'
import { serviceManagerOf } from './service-manager.ts'
import type { Settings } from './settings.ts'

const CLOSE_WITHIN_MS = 5 * SECOND_MS

/** Runs the door until the signal. It needs no database. Throws StartError. */
export async function runDoor(wanted: AbortSignal): Promise<void> {
  const settings = settingsOfProcess()
  checkRole('door', settings)
  const log = createLog(settings.logLevel)
  const clock = systemClock
  const cells = cellsOf(settings)
  const metrics = registerMetrics(DOOR_METRICS)
  collectRuntime(metrics)
  const { publicUrl, trustedProxies } = settings
  const server = createDoorServer({
    ...{ cells, publicUrl, clock, log, metrics, trustedProxies },
    newCell: cells.find(({ name }) => name === settings.newCell)!,
    operators: readOperatorAddresses(settings.operatorAddresses),
  })
  const ending = new AbortController()
  try {
    await listenOn(listener(server), settings)
    const watching = watchCells(cells, { clock, log, publicUrl }, ending.signal)
    log.info({ event: 'door.started', cells: cells.length, address: publicUrl }, 'Door started')
    const address = shownAddress(settings)
    console.log(
      `\nThe door is open at ${address}, before ${cells.map(({ name }) => name).join(', ')}. Ctrl-C ends it.\n`,
    )
    const manager = serviceManagerOf(process.env, { clock, log })
    await manager.ready(`Running at ${address}`)
    if (!wanted.aborted) await once(wanted, 'abort')
    ending.abort()
    await Promise.all([manager.stopping(), watching, closeDoorServer(server, clock, CLOSE_WITHIN_MS)])
  } finally {
    ending.abort()
    await Promise.all(cells.map((cell) => cell.close()))
  }
}

export function cellsOf({ cells, cellsSecret }: Pick<Settings, 'cells' | 'cellsSecret'>): Cell[] {
  return cells.map((address) => new Cell(address, { secret: cellsSecret!, clock: systemClock }))
}

function listener(server: Server): { listen(where: { port: number; host: string }): Promise<unknown> } {
  return {
    async listen(where) {
      server.listen(where)
      await once(server, 'listening')
    },
  }
}
