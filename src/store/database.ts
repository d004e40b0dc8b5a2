import { sql } from 'kysely'
import type pg from 'pg'
import { underAny } from '../kernel/concurrency/under-any.ts'
import type { Log } from '../kernel/log.ts'
import { onRead } from '../kernel/metrics.ts'
import { configOf, cutUnless, type DatabaseLimits, LIMITS, requestCancel, SILENT_MS } from './connection.ts'
import { databaseCodeOf } from './failures.ts'
import { keepListening } from './listening.ts'
import type { ConnectionMetrics } from './metrics.ts'
import { allGone, askPool, inTransaction, openPool } from './pool.ts'
import { type Ask, type Reader, readerOn, type Transaction } from './reader.ts'
import { RecurringTexts } from './recurring-texts.ts'
import { OF_SEVERAL, Servers } from './servers.ts'
import { type LogPosition, ONE_STATE, POSITION, Standby, type StandbyOutcome } from './standby.ts'

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
export type { Reader, Statement, Transaction } from './reader.ts'
export { sql }

export interface Database extends Reader {
  /**
   * Read committed. After a deadlock or serialization failure `work` runs again, three times in all, so it must have no
   * effect outside the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /**
   * All statements of `work` read one state of the database. Until it ends it holds a connection, and the server keeps
   * all row versions of that state. A `long answer` may be read from a standby.
   */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>, whom?: 'long answer'): Promise<Result>
  /**
   * A `caller` has a pool of `callerConnections` and five seconds a statement; a `long answer` uses the work pool and
   * its limit. Aborting `signal` cancels running statements. A standby may answer, unless `atPrimary`.
   */
  readerFor(whom: 'caller' | 'long answer', signal: AbortSignal, how?: { atPrimary: boolean }): Reader
  readonly callerConnections: number
  /**
   * Calls `reconnected` whenever notifications may have been missed, also for the first connection. Ends with the
   * signal.
   */
  listen(channel: string, notified: (payload: string) => void, reconnected: () => void, signal: AbortSignal): void
  connections(): Connections
  /** Reads that the standby might answer, since the last call. */
  takeStandbyReads(): ReadonlyMap<StandbyOutcome, number>
  /** Waits for statements in flight; cuts connections that do not close in time. */
  close(): Promise<void>
}

export interface Connections {
  busy: number
  idle: number
  waiting: number
}

export function watchConnections(
  metrics: ConnectionMetrics,
  db: Pick<Database, 'connections' | 'takeStandbyReads'>,
): void {
  onRead(metrics, () => {
    for (const [state, count] of Object.entries(db.connections())) metrics.databaseConnections.set({ state }, count)
    for (const [outcome, count] of db.takeStandbyReads()) metrics.standbyReads.inc({ outcome }, count)
  })
}

export interface DatabaseOptions {
  /** An address, or host, user, password and database. An address may name several hosts: see Servers. */
  connection: string | pg.ClientConfig
  /** A pooler in front of it, which may share sessions between transactions. Statements and transactions go there. */
  pooler?: string | null
  /** A standby that may answer reads of callers, exports among them. */
  standby?: string | null
  /** False for a pooler that does not keep prepared statements; true by default. */
  prepares?: boolean
  /** 10 by default. */
  poolSize?: number
  /** Beside the pool; 4 by default. */
  callerConnections?: number
  log: Log
  limits?: Partial<DatabaseLimits>
}

const TRIES = 3
/** Connections to a standby beside those of callers. */
const FOR_EXPORTS = 3
const RETRYABLE = new Set(['40001', '40P01'])

export function openDatabase({
  connection,
  pooler = null,
  standby: standbyAddress = null,
  prepares = true,
  poolSize = 10,
  callerConnections = 4,
  log,
  limits: given = {},
}: DatabaseOptions): Database {
  const direct = new Servers(connection)
  const servers = pooler === null ? direct : new Servers(pooler)
  const limits = { ...LIMITS, ...(servers.configs.length > 1 ? OF_SEVERAL : {}), ...given }
  const pooling = { servers, limits, sharesSessions: pooler !== null, log }
  const work = openPool({ ...pooling, whose: 'work', size: poolSize })
  const callers = openPool({ ...pooling, whose: 'callers', size: callerConnections })
  const recurring = prepares ? new RecurringTexts() : null
  const askCallers: Ask = (statement) => askPool(callers, statement, limits.callerMs + SILENT_MS)
  const position = async () => (await readerOn(askCallers, recurring).run<LogPosition>('position', POSITION, []))[0]!
  const standby =
    standbyAddress === null || callerConnections === 0
      ? null
      : new Standby({
          ...{ servers: new Servers(standbyAddress, { needsWrites: false }), size: callerConnections + FOR_EXPORTS },
          ...{ limits, recurring, log, position },
        })
  const pools = [work, callers, ...(standby === null ? [] : [standby.pool])]
  const closing = new AbortController()
  const transacting = { from: work, withinMs: limits.statementMs, recurring }
  const sumOf = (count: (pool: pg.Pool) => number) => pools.reduce((sum, { pool }) => sum + count(pool), 0)

  return {
    ...readerOn((statement) => askPool(work, statement, limits.statementMs), recurring),
    async transaction(action) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await inTransaction(transacting, action)
        } catch (error) {
          if (tried === TRIES || !RETRYABLE.has(databaseCodeOf(error))) throw error
        }
      }
    },
    snapshot(action, whom) {
      const onPrimary = () =>
        inTransaction({ ...transacting, from: { ...work, beginning: `${work.beginning}; ${ONE_STATE}` } }, action)
      return standby === null || whom === undefined ? onPrimary() : standby.snapshot(action, onPrimary)
    },
    readerFor(whom, signal, { atPrimary } = { atPrimary: false }) {
      const [pool, whose, withinMs] =
        whom === 'caller'
          ? ([callers, 'callers', limits.callerMs + SILENT_MS] as const)
          : ([work, 'work', limits.statementMs] as const)
      const config = configOf(servers.current, limits)
      const cancel = (client: pg.ClientBase) => requestCancel(client, config, limits.cancelMs)
      const primary: Ask = (statement) => askPool(pool, statement, withinMs, { signal, cancel })
      const isPrimary = atPrimary || standby === null
      return readerOn(isPrimary ? primary : standby.askFor(whose, withinMs, signal, primary), recurring)
    },
    takeStandbyReads: () => standby?.takeCounts() ?? new Map(),
    callerConnections,
    listen: (channel, notified, reconnected, signal) => {
      void underAny([signal, closing.signal], (ended) =>
        keepListening({ servers: direct, limits, channel, notified, reconnected, ended, log }),
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
