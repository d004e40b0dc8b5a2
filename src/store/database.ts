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
import { underAny } from '../kernel/concurrency/under-any.ts'
import type { Log } from '../kernel/log.ts'
import { onRead } from '../kernel/metrics.ts'
import { configOf, cutUnless, type DatabaseLimits, LIMITS, requestCancel, SILENT_MS, send } from './connection.ts'
import { AnswerNotWanted, databaseCodeOf, guarded } from './failures.ts'
import { keepListening } from './listening.ts'
import type { ConnectionMetrics } from './metrics.ts'
import { RecurringTexts } from './recurring-texts.ts'

export {
  AnswerNotWanted,
  DatabaseUnavailable,
  isLockTimeout,
  isNotReady,
  refusesValues,
  StatementTooLong,
  type ValuesRefused,
  violatesAnyUnique,
  violatesForeignKey,
  violatesUnique,
} from './failures.ts'
export { sql }
export type Statement<Row> = RawBuilder<Row>

/** Runs statements that change nothing. */
export interface Reader {
  /**
   * A statement that `recurs`, with the same text and other values, is prepared once a connection, for at most
   * RECURRING_TEXTS texts.
   */
  query<Row>(statement: Statement<Row>, how?: { recurs: boolean }): Promise<Row[]>
  run<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}

/**
 * Everything that writes takes a transaction. Statements sent without awaiting each other run in order, and after one
 * fails the server refuses the rest: this saves round trips, above all while locks are held.
 */
export interface Transaction extends Reader {
  readonly inTransaction: true
}

export interface Database extends Reader {
  /**
   * Read committed. After a deadlock or serialization failure `work` runs again, three times in all, so it must have no
   * effect outside the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /**
   * All statements of `work` read one state of the database. Until it ends it holds a connection, and the server keeps
   * all row versions of that state.
   */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>
  /**
   * A `caller` has a pool of `callerConnections` and five seconds a statement; a `long answer` uses the work pool and
   * its limit. Aborting `signal` cancels running statements.
   */
  readerFor(whom: 'caller' | 'long answer', signal: AbortSignal): Reader
  readonly callerConnections: number
  /**
   * Calls `reconnected` whenever notifications may have been missed, also for the first connection. Ends with the
   * signal.
   */
  listen(channel: string, notified: (payload: string) => void, reconnected: () => void, signal: AbortSignal): void
  connections(): Connections
  /** Waits for statements in flight; cuts connections that do not close in time. */
  close(): Promise<void>
}

export interface Connections {
  busy: number
  idle: number
  waiting: number
}

export function watchConnections(metrics: ConnectionMetrics, db: Pick<Database, 'connections'>): void {
  onRead(metrics, () => {
    for (const [state, count] of Object.entries(db.connections())) metrics.databaseConnections.set({ state }, count)
  })
}

export interface DatabaseOptions {
  /** An address, or host, user, password and database. */
  connection: string | pg.ClientConfig
  /** 10 by default. */
  poolSize?: number
  /** Beside the pool; 4 by default. */
  callerConnections?: number
  log: Log
  limits?: Partial<DatabaseLimits>
}

const TRIES = 3
const RETRYABLE = new Set(['40001', '40P01'])
const ABORTED = '25P02'
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

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
  const recurring = new RecurringTexts()
  const closing = new AbortController()
  const transacting = { pool: work.pool, withinMs: limits.statementMs, recurring }
  const sumOf = (count: (pool: pg.Pool) => number) => pools.reduce((sum, { pool }) => sum + count(pool), 0)

  return {
    ...readerOn((statement) => askPool(work.pool, statement, limits.statementMs), recurring),
    async transaction(action) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTransaction(transacting, action)
        } catch (error) {
          if (tried === TRIES || !RETRYABLE.has(databaseCodeOf(error))) throw error
        }
      }
    },
    snapshot: (action) =>
      inTransaction(transacting, async (tx) => {
        await tx.query(sql`set transaction isolation level repeatable read, read only`)
        return await action(tx)
      }),
    readerFor(whom, signal) {
      const [{ pool }, withinMs] =
        whom === 'caller' ? [callers, limits.callerMs + SILENT_MS] : [work, limits.statementMs]
      const cancel = (client: pg.ClientBase) => requestCancel(client, config, limits.cancelMs)
      return readerOn((statement) => askPool(pool, statement, withinMs, { signal, cancel }), recurring)
    },
    callerConnections,
    listen: (channel, notified, reconnected, signal) => {
      void underAny([signal, closing.signal], (ended) =>
        keepListening({ config, limits, channel, notified, reconnected, ended, log }),
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
  open: ReadonlySet<pg.PoolClient>
}

function openPool(config: pg.PoolConfig, log: Log): OpenPool {
  const pool = new pg.Pool({ ...config, idleTimeoutMillis: 30_000 })
  pool.on('error', (error) =>
    log.warn({ event: 'database.connection_ended', err: error }, 'An idle database connection ended'),
  )
  // A connection that breaks between two statements emits an error that would end the process if nobody listened.
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

async function allGone({ pool, open }: OpenPool): Promise<void> {
  while (open.size > 0) await new Promise<void>((resolve) => pool.once('remove', () => resolve()))
}

type Ask = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

function readerOn(ask: Ask, recurring: RecurringTexts): Reader {
  return {
    async query<Row>(statement: Statement<Row>, { recurs } = { recurs: false }) {
      const { sql: text, parameters } = statement.compile(compiler)
      const name = recurs ? recurring.nameOf(text) : undefined
      return (await ask({ ...(name !== undefined && { name }), text, values: [...parameters] })).rows as Row[]
    },
    async run<Row>(name: string, text: string, values: readonly unknown[]) {
      return (await ask({ name, text, values: [...values] })).rows as Row[]
    },
  }
}

interface Ending {
  signal: AbortSignal
  cancel(client: pg.ClientBase): Promise<void>
}

/** Discards the connection after a failure, and after a cancel request, which may arrive during the next statement. */
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

interface Transacting {
  pool: pg.Pool
  withinMs: number
  recurring: RecurringTexts
}

async function inTransaction<Result>(
  { pool, withinMs, recurring }: Transacting,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await guarded(() => pool.connect())
  const ask: Ask = (statement) => guarded(() => send(client, statement, withinMs))
  let broken: Error | undefined
  try {
    await ask({ text: 'begin' })
    // A statement that outlives another's failure must not run after the rollback, outside any transaction.
    let over = false
    let cause: unknown
    const inside: Ask = async (statement) => {
      if (over) throw new Error('a statement was asked of a transaction that had ended')
      try {
        return await ask(statement)
      } catch (error) {
        // Statements behind a failed one get ABORTED, perhaps before the failure is seen.
        if (databaseCodeOf(error) === ABORTED && cause !== undefined) throw cause
        cause = error
        throw error
      }
    }
    const result = await work({ ...readerOn(inside, recurring), inTransaction: true }).finally(() => {
      over = true
    })
    const { command } = await ask({ text: 'commit' })
    // After a failed statement the server rolls back and reports success.
    if (command !== 'COMMIT')
      throw new Error(
        'the transaction was rolled back, because a statement in it failed and the failure was passed over',
      )
    return result
  } catch (error) {
    await send(client, { text: 'rollback' }, withinMs).catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}
