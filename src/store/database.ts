import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { type Metrics, onRead } from '../kernel/metrics.ts'
import { underAny } from '../kernel/under-any.ts'
import { configOf, cutUnless, type DatabaseLimits, LIMITS, send } from './connection.ts'
import { keepListening } from './listening.ts'

export { sql }
export type Statement<Row> = RawBuilder<Row>

/** Runs statements that change nothing. Everything on the read side takes one. */
export interface Reader {
  /**
   * Runs a statement composed with `sql` and answers its rows. One that `recurs`, with the same text and other values, is planned
   * once a connection where the server finds that the values make no difference; only as many texts as RECURRING_TEXTS are.
   */
  query<Row>(statement: Statement<Row>, how?: { recurs: boolean }): Promise<Row[]>
  /** Runs a fixed text under a name, so that the server plans it once a connection: for hot paths. */
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/**
 * A reader inside a transaction, which alone may be handed to what writes. Statements that are asked without waiting for each other's
 * answers run one after the other in the order in which they are asked, and once the server refuses one it refuses those behind it: on hot
 * paths, and above all while locks are held, that spares the way to the server and back.
 */
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
  /** The connections of the pool at this moment, and how much work waits for one. Those that listen are not among them. */
  connections(): Connections
  /** Lets work in hand end; a server that does not say goodbye is not waited for. */
  close(): Promise<void>
}

export interface Connections {
  busy: number
  idle: number
  waiting: number
}

/** Shows the connections whenever the metrics are read. */
export function watchConnections(metrics: Metrics, db: Pick<Database, 'connections'>): void {
  onRead(metrics, () => {
    for (const [state, count] of Object.entries(db.connections())) metrics.databaseConnections.set({ state }, count)
  })
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
  /** How long this side waits for the server; the usual limits unless told otherwise. */
  limits?: Partial<DatabaseLimits>
}

/** Each takes up to a megabyte of the server's memory for every connection that runs it, so that not everything that can be asked for has one. */
export const RECURRING_TEXTS = 16
/** Names under which recurring statements are planned, by their texts. */
const recurring = new Map<string, string>()

const TRIES = 3
const RETRYABLE = new Set(['40001', '40P01'])
/** The server's answer to whatever follows a failure in a transaction. */
const ABORTED = '25P02'
/** Classes of SQLSTATE and of socket errors that mean "no connection" rather than "no good statement". */
const UNAVAILABLE = /^(08|57P0|53300|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Opens a pool; the first connection is made with the first statement. */
export function openDatabase({ connection, poolSize = 10, log, limits: given = {} }: DatabaseOptions): Database {
  const limits = { ...LIMITS, ...given }
  const config = configOf(connection, limits)
  const pool = new pg.Pool({ ...config, max: poolSize, idleTimeoutMillis: 30_000 })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection ended'))
  // A connection that breaks while a transaction holds it, between two statements, has nobody else to tell; unheard, its
  // event would end the process. The next statement fails and says so.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')))
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  const closing = new AbortController()

  return {
    ...readerOn((statement) => askPool(pool, statement, limits.statementMs)),
    async transaction(work) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTransaction(pool, limits.statementMs, work)
        } catch (error) {
          if (tried === TRIES || !RETRYABLE.has(codeOf(error))) throw error
        }
      }
    },
    listen: (channel, heard, reconnected, signal) => {
      void underAny([signal, closing.signal], (ended) => keepListening({ config, limits, channel, heard, reconnected, ended, log }))
    },
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closing.abort()
      await pool.end()
      await cutUnless(allGone(pool, open), limits.closeMs, open)
    },
  }
}

/** Resolves when every connection that the pool has let go of has really ended. */
async function allGone(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>): Promise<void> {
  while (open.size > 0) await new Promise<void>((resolve) => pool.once('remove', () => resolve()))
}

/** Runs one statement, whose connection is not the reader's to choose. */
type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

function readerOn(ask: Ask): Reader {
  return {
    async query<Row>(statement: Statement<Row>, { recurs } = { recurs: false }) {
      const { sql: text, parameters } = statement.compile(compiler)
      const name = recurs ? recurringName(text) : undefined
      return (await ask({ ...(name !== undefined && { name }), text, values: [...parameters] })).rows as Row[]
    },
    async run<Row>(name: string, text: string, values: readonly unknown[]) {
      return (await ask({ name, text, values: [...values] })).rows as Row[]
    },
  }
}

/** The same for the same text; undefined when there are as many texts as are kept. */
function recurringName(text: string): string | undefined {
  const known = recurring.get(text)
  if (known !== undefined || recurring.size === RECURRING_TEXTS) return known
  const name = `recurring-${recurring.size}`
  recurring.set(text, name)
  return name
}

/** A connection on which a statement failed, for whatever reason, is thrown away instead of going back to the pool. */
async function askPool(pool: pg.Pool, statement: pg.QueryConfig, withinMs: number): Promise<pg.QueryResult> {
  return await guarded(async () => {
    const client = await pool.connect()
    try {
      const result = await send(client, statement, withinMs)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  })
}

async function inTransaction<Result>(pool: pg.Pool, withinMs: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const client = await guarded(() => pool.connect())
  const ask: Ask = (statement) => guarded(() => send(client, statement, withinMs))
  let broken: Error | undefined
  try {
    await ask({ text: 'begin' })
    // What is asked at once and outlives the failure of another statement must not run behind the rollback, outside of any transaction.
    let over = false
    let cause: unknown
    const inside: Ask = async (statement) => {
      if (over) throw new Error('a statement was asked of a transaction that had ended')
      try {
        return await ask(statement)
      } catch (error) {
        // What was sent behind a statement that failed fails with nothing but that, and may be the first that is heard of.
        if (codeOf(error) === ABORTED && cause !== undefined) throw cause
        cause = error
        throw error
      }
    }
    const result = await work({ ...readerOn(inside), inTransaction: true }).finally(() => {
      over = true
    })
    const { command } = await ask({ text: 'commit' })
    // The server answers a commit after a failed statement with a rollback and calls that a success.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement in it failed and the failure was passed over')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away instead of going back to the pool.
    await send(client, { text: 'rollback' }, withinMs).catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
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

/** What the driver says of a connection that is gone, and of one that the pool could not give in time; it has no codes for them. */
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed and is not queryable/i

function isLostConnection(error: unknown): boolean {
  return error instanceof Error && LOST.test(error.message)
}

/** True when a statement failed because a unique constraint or index of this name was violated. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return violatesAnyUnique(error) && (error as pg.DatabaseError).constraint === constraint
}

/** True when a statement failed because a row with the same key is there already, whichever the key. */
export function violatesAnyUnique(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** True when a row that is to go is still named by another, or the row that is named has gone. */
export function violatesForeignKey(error: unknown): boolean {
  return codeOf(error) === '23503'
}

/** True when a statement gave up waiting for a lock, within the limit that its transaction had set. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/**
 * SQLSTATEs of a database that answers and cannot do what is asked before somebody sees to it: it is read only (a standby, say), its
 * disk is full, its role lacks a right, or it has not the tables, columns or functions of this version.
 */
const NOT_READY = new Set(['25006', '53100', '42501', '42P01', '42703', '42883'])

/** True when a statement failed because the database needs its operator; asking again does not help. */
export function isNotReady(error: unknown): boolean {
  return NOT_READY.has(codeOf(error))
}
