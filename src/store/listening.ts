import pg from 'pg'
import { systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { configOf, cutUnless, type DatabaseLimits, optionsOf } from './connection.ts'
import { clientOf, type Servers } from './servers.ts'

const RECONNECT_MS = 500

export interface Listening {
  servers: Servers
  limits: DatabaseLimits
  channel: string
  notified: (payload: string) => void
  reconnected: () => void
  ended: AbortSignal
  log: Log
}

/** Notifications belong to a session, and a pool shares sessions. */
export async function keepListening(listening: Listening): Promise<void> {
  const { ended, log, channel } = listening
  while (!ended.aborted) {
    try {
      await listenOnce(listening)
    } catch (error) {
      if (!ended.aborted)
        log.warn(
          { event: 'database.notifications_lost', err: error, channel },
          'Database notifications were interrupted; reconnecting',
        )
    }
    await systemClock.wait(RECONNECT_MS, ended)
  }
}

async function listenOnce({ servers, limits, channel, notified, reconnected, ended }: Listening): Promise<void> {
  const client = new (clientOf(servers))({
    ...configOf(servers.current, limits),
    options: optionsOf('work', limits),
    query_timeout: limits.listenAnswerMs,
  })
  const left = new AbortController()
  let leave: () => void = () => undefined
  const over = new Promise<void>((resolve, reject) => {
    leave = resolve
    client.on('error', reject)
    client.once('end', resolve)
    ended.addEventListener('abort', leave, { once: true })
  })
  // The connection may fail before `over` is awaited.
  over.catch(() => undefined)
  client.on('notification', (message) => notified(message.payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    reconnected()
    await Promise.race([over, keepAsking(client, limits, left.signal)])
  } finally {
    left.abort()
    ended.removeEventListener('abort', leave)
    await cutUnless(
      client.end().catch(() => undefined),
      limits.closeMs,
      [client],
    )
  }
}

async function keepAsking(client: pg.Client, { listenCheckMs }: DatabaseLimits, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await systemClock.wait(listenCheckMs, signal)
    if (!signal.aborted) await client.query('select 1')
  }
}
