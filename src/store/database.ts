import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { onRead } from '../kernel/metrics.ts'
import { underAny } from '../kernel/under-any.ts'
import { configOf, cutUnless, type DatabaseLimits, LIMITS, requestCancel, SILENT_MS, send } from './connection.ts'
import { AnswerNotWanted, codeOf, guarded } from './failures.ts'
import { keepListening } from './listening.ts'
import type { ConnectionMetrics } from './metrics.ts'

export { AnswerNotWanted, DatabaseUnavailable, StatementTooLong } from './failures.ts'
export { sql }
export type Statement<Row> = RawBuilder<Row>

/** Runs statements that change nothing. Everything on the read side takes one. */
export interface Reader {
  /**
   * Runs a statement composed with `sql` and answers its rows. One that `recurs`, with the same text and other values,
   * is planned once a connection where the server finds that the values make no difference; only as many texts as
   * RECURRING_TEXTS are.
   */
  query<Row>(statement: Statement<Row>, how?: { recurs: boolean }): Promise<Row[]>
  /** Runs a fixed text under a name, so that the server plans it once a connection: for hot paths. */
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/**
 * A reader inside a transaction, which alone may be handed to what writes. Statements that are asked without waiting
 * for each other's answers run one after the other in the order in which they are asked, and once the server refuses
 * one it refuses those behind it: on hot paths, and above all while locks are held, that spares the way to the server
 * and back.
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
   * Reads for somebody who waits for the answer. Statements for a caller have connections of their own, as many as
   * `callerConnections`, and five seconds each; those of a long answer have the time of all others. What still runs
   * when `signal` is aborted is ended.
   */
  readerFor(whom: 'caller' | 'long answer', signal: AbortSignal): Reader
  /** How many statements for callers can run at once. */
  readonly callerConnections: number
  /**
   * Calls `heard` for every notification on `channel`, and `reconnected` whenever notifications may have been missed,
   * the first connection included. Ends with the signal.
   */
  listen(channel: string, heard: (payload: string) => void, reconnected: () => void, signal: AbortSignal): void
  /**
   * The connections of the pool at this moment, and how much work waits for one. Those that listen are not among them.
   */
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
export function watchConnections(metrics: ConnectionMetrics, db: Pick<Database, 'connections'>): void {
  onRead(metrics, () => {
    for (const [state, count] of Object.entries(db.connections())) metrics.databaseConnections.set({ state }, count)
  })
}

export interface DatabaseOptions {
  /** Connection settings as the driver takes them: an address, or host, user, password and database. */
  connection: string | pg.ClientConfig
  /** Connections kept at most; 10 unless told otherwise. */
  poolSize?: number
  /** Connections kept for callers who wait for what they have asked, beside those; 4 unless told otherwise. */
  callerConnections?: number
  log: Log
  /** How long this side waits for the server; the usual limits unless told otherwise. */
  limits?: Partial<DatabaseLimits>
}

/**
 * Each takes up to a megabyte of the server's memory for every connection that runs it, so that not everything that can
 * be asked for has one.
 */
export const RECURRING_TEXTS = 16
/** Names under which recurring statements are planned, by their texts. */
const recurring = new Map<string, string>()

const TRIES = 3
const RETRYABLE = new Set(['40001', '40P01'])
/** The server's answer to whatever follows a failure in a transaction. */
const ABORTED = '25P02'
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Opens the pools; the first connection is made with the first statement. */
export function openDatabase({
  connection,
  poolSize = 10,
  callerConnections = 4,
  log,
  limits: given = {},
}: DatabaseOptions): Database {
  const limits = { ...LIMITS, ...given }
  const config = configOf(connection, limits)
  const work = openPool({ ...config, max: poolSize }, log)
  const callers = openPool({ ...configOf(connection, limits, 'callers'), max: callerConnections }, log)
  const pools = [work, callers]
  const closing = new AbortController()
  const sumOf = (count: (pool: pg.Pool) => number) => pools.reduce((sum, { pool }) => sum + count(pool), 0)

  return {
    ...readerOn((statement) => askPool(work.pool, statement, limits.statementMs)),
    async transaction(action) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTransaction(work.pool, limits.statementMs, action)
        } catch (error) {
          if (tried === TRIES || !RETRYABLE.has(codeOf(error))) throw error
        }
      }
    },
    readerFor(whom, signal) {
      const [{ pool }, withinMs] =
        whom === 'caller' ? [callers, limits.callerMs + SILENT_MS] : [work, limits.statementMs]
      const cancel = (client: pg.ClientBase) => requestCancel(client, config, limits.cancelMs)
      return readerOn((statement) => askPool(pool, statement, withinMs, { signal, cancel }))
    },
    callerConnections,
    listen: (channel, heard, reconnected, signal) => {
      void underAny([signal, closing.signal], (ended) =>
        keepListening({ config, limits, channel, heard, reconnected, ended, log }),
      )
    },
    connections: () => ({
      busy: sumOf((pool) => pool.totalCount - pool.idleCount),
      idle: sumOf((pool) => pool.idleCount),
      waiting: sumOf((pool) => pool.waitingCount),
    }),
    async close() {
      closing.abort()
      await Promise.all(pools.map(({ pool }) => pool.end()))
      const open = pools.flatMap((pool) => [...pool.open])
      await cutUnless(Promise.all(pools.map(allGone)), limits.closeMs, open)
    },
  }
}

interface OpenPool {
  pool: pg.Pool
  /** Connections that the pool has, or has let go of and that have not ended yet. */
  open: ReadonlySet<pg.PoolClient>
}

function openPool(config: pg.PoolConfig, log: Log): OpenPool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 30_000 })
  pool.on('error', (error) =>
    log.warn({ event: 'database.connection_ended', err: error }, 'An idle database connection ended'),
  )
  // A connection that breaks while a transaction holds it, between two statements, has nobody else to tell; unheard,
  // its event would end the process. The next statement fails and says so.
  pool.on('connect', (client) =>
    client.on('error', (error) =>
      log.debug({ event: 'database.connection_broken', err: error }, 'A database connection broke'),
    ),
  )
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  return { pool, open }
}

/** Resolves when every connection that the pool has let go of has really ended. */
async function allGone({ pool, open }: OpenPool): Promise<void> {
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

/** When the answer to a statement is not wanted any more, and how the statement is ended then. */
interface Ending {
  signal: AbortSignal
  cancel(client: pg.ClientBase): Promise<void>
}

/**
 * A connection on which a statement failed, for whatever reason, is thrown away instead of going back to the pool, and
 * so is one whose statement was to be ended: the request may arrive when the next one runs there.
 */
async function askPool(
  pool: pg.Pool,
  statement: pg.QueryConfig,
  withinMs: number,
  ending: Ending | null = null,
): Promise<pg.QueryResult> {
  return await guarded(async () => {
    if (ending?.signal.aborted) throw new AnswerNotWanted()
    const client = await pool.connect()
    let cancelled: Promise<void> | null = null
    const cancel = () => {
      cancelled = ending!.cancel(client)
    }
    try {
      if (ending?.signal.aborted) throw new AnswerNotWanted()
      ending?.signal.addEventListener('abort', cancel, { once: true })
      const result = await send(client, statement, withinMs)
      client.release(cancelled !== null)
      return result
    } catch (error) {
      client.release(error instanceof AnswerNotWanted ? false : (error as Error))
      if (cancelled !== null) throw new AnswerNotWanted()
      throw error
    } finally {
      ending?.signal.removeEventListener('abort', cancel)
    }
  })
}

async function inTransaction<Result>(
  pool: pg.Pool,
  withinMs: number,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await guarded(() => pool.connect())
  const ask: Ask = (statement) => guarded(() => send(client, statement, withinMs))
  let broken: Error | undefined
  try {
    await ask({ text: 'begin' })
    // What is asked at once and outlives the failure of another statement must not run behind the rollback, outside of
    // any transaction.
    let over = false
    let cause: unknown
    const inside: Ask = async (statement) => {
      if (over) throw new Error('a statement was asked of a transaction that had ended')
      try {
        return await ask(statement)
      } catch (error) {
        // What was sent behind a statement that failed fails with nothing but that, and may be the first that is heard
        // of.
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
    if (command !== 'COMMIT')
      throw new Error(
        'the transaction was rolled back, because a statement in it failed and the failure was passed over',
      )
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
 * SQLSTATEs of a database that answers and cannot do what is asked before somebody sees to it: it is read only (a
 * standby, say), its disk is full, its role lacks a right, or it has not the tables, columns or functions of this
 * version.
 */
const NOT_READY = new Set(['25006', '53100', '42501', '42P01', '42703', '42883'])

/** True when a statement failed because the database needs its operator; asking again does not help. */
export function isNotReady(error: unknown): boolean {
  return NOT_READY.has(codeOf(error))
}
