import type pg from 'pg'
import { cut } from '../connection.ts'
import { DatabaseUnavailable, guarded } from '../failures.ts'
import { clientOf, Servers } from '../servers.ts'

export type Connection = string | pg.ClientConfig

/** Runs that take hours have no limits, and texts have one form, whatever the server's settings are. */
const SESSION = `
  select set_config(name, value, false) from (values
    ('statement_timeout', '0'), ('lock_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
    ('transaction_timeout', '0'), ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
    ('extra_float_digits', '1'), ('bytea_output', 'hex'), ('synchronize_seqscans', 'off')) as wanted (name, value)
  where name in (select lower(name) from pg_settings)`

/** A connection of its own, outside the pools, which `signal` cuts. Throws DatabaseUnavailable when it is lost. */
export async function withSession<Result>(
  connection: Connection,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const servers = new Servers(connection)
  return servers.reach(() => onServer(servers, signal, work))
}

async function onServer<Result>(
  servers: Servers,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const client = new (clientOf(servers))({
    ...servers.current,
    application_name: 'earshot backup',
    client_encoding: 'UTF8',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // The statement in flight fails; an error that nobody listens to would end the process.
  client.on('error', () => undefined)
  const stop = () => cut(client)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await guarded(async () => {
      await client.connect().catch((error: unknown) => {
        throw new DatabaseUnavailable(error)
      })
      await client.query(SESSION)
      return await work(client)
    })
  } catch (error) {
    // The server may be in the middle of a copy that nobody reads any more, and would hear no other farewell.
    cut(client)
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end()
  }
}
