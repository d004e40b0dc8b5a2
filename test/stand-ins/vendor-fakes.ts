import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const PROGRAM = join(import.meta.dirname, '../../../shared/vendors/vendor-fakes.mjs')

/** Whether the stand-ins of providers by other people, checked with the providers' own libraries, are at hand. */
export const FAKES_ARE_THERE = existsSync(PROGRAM)

export interface VendorFakes {
  /** Without a slash at the end. */
  url: string
  /** Asks what they know, or has them do something. */
  // biome-ignore lint/suspicious/noExplicitAny: what the stand-ins know is read freely
  control(path: string, body?: object): Promise<any>
  stop(): void
}

export async function startFakes(environment: Record<string, string> = {}): Promise<VendorFakes> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const fakes = spawn(process.execPath, [PROGRAM, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  await once(fakes.stdout!, 'data')
  return {
    url,
    async control(path, body) {
      const sent =
        body === undefined
          ? {}
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      return (await fetch(`${url}/_ctl/${path}`, sent)).json()
    },
    stop: () => void fakes.kill(),
  }
}
