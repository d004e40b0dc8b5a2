import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'

export { sql }
export type Statement<Row> = RawBuilder<Row>

/** Runs statements that change nothing. Everything on the read side takes one. */
export interface Reader {
  /** Runs a statement composed with `sql` and answers its rows. */
  query<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Runs a fixed text under a name, so that the server plans it once a connection: for hot paths. */
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/** A reader inside a transaction, which alone may be handed to what writes. */
export interface Transaction extends Reader {
  readonly inTransaction: true
}

/** The one owner of connections. */
export interface Database extends Reader {
  /**
   * Runs `work` in one transaction (read committed) and commits when it resolves. A deadlock or serialisation failure
   * is tried again, up to three times, so `work` must have no effect outside the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /**
   * Calls `heard` for every notification on `channel`, and `reconnected` whenever notifications may have been missed,
   * the first connection included. Ends with the signal.
   */
  listen(channel: string, heard: (payload: string) => void, reconnected: () => void, signal: AbortSignal): void
  close(): Promise<void>
}

/** The database cannot be reached or has just gone away; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached for the moment', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

export interface DatabaseOptions {
  /** Connection settings as the driver takes them: an address, or host, user, password and database. */
  connection: string | pg.ClientConfig
  /** Connections kept at most; 10 unless told otherwise. */
  poolSize?: number
  log: Log
}

const TRIES = 3
const RETRYABLE = new Set(['40001', '40P01'])
/** Classes of SQLSTATE and of socket errors that mean "no connection" rather than "no good statement". */
const UNAVAILABLE = /^(08|57P0|53300|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/
const RECONNECT_MS = 500

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Counts and amounts come as numbers; one that a number cannot hold exactly is a defect, not a rounding. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database answered ${text}, which does not fit a number exactly`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return exactNumber
    if (oid === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

function configOf(connection: string | pg.ClientConfig): pg.ClientConfig {
  const config = typeof connection === 'string' ? { connectionString: connection } : connection
  return {
    ...config,
    types,
    application_name: 'earshot',
    options: '-c timezone=UTC -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  }
}

/** Opens a pool; the first connection is made with the first statement. */
export function openDatabase({ connection, poolSize = 10, log }: DatabaseOptions): Database {
  const config = configOf(connection)
  const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection ended'))
  // A connection that breaks while a transaction holds it, between two statements, has nobody else to tell; unheard, its
  // event would end the process. The next statement fails and says so.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')))
  const closing = new AbortController()

  return {
    ...readerOn(pool),
    async transaction(work) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTransaction(pool, 'begin', work)
        } catch (error) {
          if (tried === TRIES || !RETRYABLE.has(codeOf(error))) throw error
        }
      }
    },
    listen: (channel, heard, reconnected, signal) => {
      const ended = AbortSignal.any([signal, closing.signal])
      void keepListening({ config, channel, heard, reconnected, ended, log })
    },
    async close() {
      closing.abort()
      await pool.end()
    },
  }
}

function readerOn(connection: pg.Pool | pg.ClientBase): Reader {
  const runText = (config: pg.QueryConfig) => guarded(() => connection.query(config))
  return {
    async query<Row>(statement: Statement<Row>) {
      const { sql: text, parameters } = statement.compile(compiler)
      return (await runText({ text, values: [...parameters] })).rows as Row[]
    },
    async run<Row>(name: string, text: string, values: readonly unknown[]) {
      return (await runText({ name, text, values: [...values] })).rows as Row[]
    },
  }
}

async function inTransaction<Result>(pool: pg.Pool, begin: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const client = await guarded(() => pool.connect())
  let broken: Error | undefined
  try {
    await guarded(() => client.query(begin))
    const tx: Transaction = { ...readerOn(client), inTransaction: true }
    const result = await work(tx)
    const { command } = await guarded(() => client.query('commit'))
    // The server answers a commit after a failed statement with a rollback and calls that a success.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement in it failed and the failure was passed over')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away instead of going back to the pool.
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

interface Listening {
  config: pg.ClientConfig
  channel: string
  heard: (payload: string) => void
  reconnected: () => void
  ended: AbortSignal
  log: Log
}

/** Holds one connection of its own: notifications belong to a session, and a pool hands sessions around. */
async function keepListening(listening: Listening): Promise<void> {
  const { ended, log, channel } = listening
  while (!ended.aborted) {
    try {
      await listenOnce(listening)
    } catch (error) {
      if (!ended.aborted) log.warn({ err: error, channel }, 'lost the notifications of the database; connecting again')
    }
    if (!ended.aborted) await new Promise((done) => setTimeout(done, RECONNECT_MS))
  }
}

async function listenOnce({ config, channel, heard, reconnected, ended }: Listening): Promise<void> {
  const client = new pg.Client(config)
  let leave: () => void = () => undefined
  const over = new Promise<void>((resolve, reject) => {
    leave = resolve
    client.on('error', reject)
    client.once('end', resolve)
    ended.addEventListener('abort', leave, { once: true })
  })
  // The connection may fail before anybody waits for its end.
  over.catch(() => undefined)
  client.on('notification', (message) => heard(message.payload ?? ''))
  try {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    reconnected()
    await over
  } finally {
    ended.removeEventListener('abort', leave)
    await client.end().catch(() => undefined)
  }
}

async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseUnavailable || UNAVAILABLE.test(codeOf(error)) || isLostConnection(error)) throw new DatabaseUnavailable(error)
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function isLostConnection(error: unknown): boolean {
  return (
    error instanceof Error && /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(error.message)
  )
}

/** True when a statement failed because a unique constraint or index of this name was violated. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return codeOf(error) === '23505' && (error as pg.DatabaseError).constraint === constraint
}
