import { type ChildProcess, fork } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Services } from '../src/commands/writing.ts'
import { silentLog } from '../src/kernel/log.ts'
import type { Database } from '../src/store/database.ts'
import { createRestServer } from '../src/surfaces/rest/server.ts'
import { UNLIMITED } from '../test/unlimited.ts'

/** A service that a process of its own asks, so that the asking costs the service nothing. */
export interface Serving {
  port: number
  caller: ChildProcess
  close(): Promise<void>
}

interface Served {
  services: Services & { close(): Promise<void> }
  db: Database
  postgres: { stop(): Promise<void> }
  /** The module of the process that asks, from this folder. */
  caller: string
}

/** Serves without limits of requests. Closing also ends the services and the database. */
export async function serve({ services, db, postgres, caller: module }: Served): Promise<Serving> {
  const server = createRestServer({ services, log: silentLog, limits: UNLIMITED })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const caller = fork(fileURLToPath(new URL(module, import.meta.url)), { execArgv: ['--import', 'tsx'] })
  return {
    port: (server.server.address() as AddressInfo).port,
    caller,
    async close() {
      caller.kill()
      await server.close()
      await services.close()
      await db.close()
      await postgres.stop()
    },
  }
}
