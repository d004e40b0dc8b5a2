import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Environment } from '../kernel/settings.ts'

/** Told when the service is ready and when it stops. Without one, both calls do nothing. */
export interface ServiceManager {
  /** Also begins the signs of life that a watchdog asks for. `status` is a line for people. */
  ready(status: string): Promise<void>
  stopping(): Promise<void>
}

/** systemd itself gives up sooner on whoever does not read. */
const TELL_WITHIN_MS = 10_000

/**
 * The service manager that started this process. Node.js has no datagram sockets of the file system, so the program
 * `systemd-notify` sends each message, and the unit needs NotifyAccess=all. A timer sends the signs of life: they stop
 * when the event loop hangs.
 */
export function serviceManagerOf(environment: Environment, { clock, log }: { clock: Clock; log: Log }): ServiceManager {
  const over = new AbortController()

  async function tell(...message: string[]): Promise<void> {
    if (!environment['NOTIFY_SOCKET']) return
    try {
      await promisify(execFile)('systemd-notify', message, { env: environment, timeout: TELL_WITHIN_MS })
    } catch (err) {
      log.warn({ event: 'service.notify_failed', err, message }, 'systemd-notify failed; systemd may end the service')
    }
  }

  async function giveSignsOfLife(everyMs: number): Promise<void> {
    while (!over.signal.aborted) {
      await clock.wait(everyMs, over.signal)
      if (!over.signal.aborted) await tell('WATCHDOG=1')
    }
  }

  return {
    async ready(status) {
      await tell('READY=1', `STATUS=${status}`)
      const watchdogMs = watchdogMsOf(environment)
      if (watchdogMs !== null) void giveSignsOfLife(watchdogMs / 2)
    },
    async stopping() {
      over.abort()
      await tell('STOPPING=1')
    },
  }
}

/** The silence after which systemd ends this process; null where it does not watch. */
function watchdogMsOf(environment: Environment): number | null {
  const watched = environment['WATCHDOG_PID']
  if (watched && watched !== String(process.pid)) return null
  const microseconds = Number(environment['WATCHDOG_USEC'])
  return microseconds > 0 ? microseconds / 1000 : null
}
