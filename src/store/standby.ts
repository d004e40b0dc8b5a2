import type pg from 'pg'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { beginningOf, configOf, type DatabaseLimits, requestCancel, send, type Whose } from './connection.ts'
import { DatabaseUnavailable, databaseCodeOf } from './failures.ts'
import { askPool, inTransaction, type OpenPool, openPool, type Sender, sendTogether } from './pool.ts'
import type { Ask, Reader } from './reader.ts'
import type { RecurringTexts } from './recurring-texts.ts'
import type { Servers } from './servers.ts'

/** How far a server has come: which database, on which timeline, up to which position of its log. */
export interface LogPosition {
  history: string
  lsn: string
}

/** What became of a read that a standby may answer. The primary answers all but the first. */
export type StandbyOutcome = 'answered' | 'behind' | 'unavailable' | 'conflict'

export interface StandbyOptions {
  servers: Servers
  size: number
  limits: DatabaseLimits
  recurring: RecurringTexts | null
  log: Log
  /** Asks the primary. */
  position(): Promise<LogPosition>
}

/** For this long a read waits until the standby has replayed what the primary has. */
export const REPLAY_WITHIN_MS = 100
const LOOK_MS = 5
const CONNECT_MS = 2 * SECOND_MS
const ANSWER_MS = 2 * SECOND_MS
/** So long the primary answers everything. Then one read tries the standby again. */
const AWAY_MS: Record<Exclude<StandbyOutcome, 'answered'>, number> = {
  behind: SECOND_MS,
  unavailable: 10 * SECOND_MS,
  conflict: 10 * SECOND_MS,
}
const WARN_EVERY_MS = 60 * SECOND_MS

/** All that is committed is flushed, unless the server confirms commits before. */
export const POSITION = `
  select concat_ws('/', (select system_identifier from pg_control_system()), current_database(),
      left(pg_walfile_name(pg_current_wal_lsn()), 8)) as history,
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end)::text as lsn`

/** A standby of another timeline may have log that the primary never had. */
const SAME_HISTORY = `$1 = concat_ws('/', (select system_identifier from pg_control_system()), current_database(),
    (select lpad(upper(to_hex(min_recovery_end_timeline)), 8, '0') from pg_control_recovery()))`

const REACHED = `
  select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $2::pg_lsn and ${SAME_HISTORY} as reached`

/** For the doctor. */
export interface StandbyState {
  recovers: boolean
  /** Of the same database on the same timeline as the primary. */
  fits: boolean
  behindBytes: number
  /** Whether the primary keeps row versions that statements of the standby still see. */
  feedback: boolean
}

export async function readStandbyState(primary: Reader, standby: Reader): Promise<StandbyState> {
  const [position] = await primary.run<LogPosition>('position', POSITION, [])
  const { history, lsn } = position!
  const [state] = await standby.run<StandbyState>('standby-state', STATE, [history, lsn])
  return state!
}

const STATE = `
  select pg_is_in_recovery() as recovers, ${SAME_HISTORY} as fits,
    greatest(0, coalesce(pg_wal_lsn_diff($2::pg_lsn, pg_last_wal_replay_lsn()), 0))::bigint as "behindBytes",
    current_setting('hot_standby_feedback')::bool as feedback`

class Behind extends Error {}

/**
 * Answers reads with at least what was committed on the primary when the read began, or leaves them to the primary:
 * no reader can tell the two apart.
 */
export class Standby {
  readonly pool: OpenPool
  private readonly options: StandbyOptions
  private readonly beginnings: Record<Whose, string>
  private isAway = false
  private awayUntilMs = 0
  private warnedMs = Number.NEGATIVE_INFINITY
  private isWarned = false
  private counts = new Map<StandbyOutcome, number>()
  private asking: Promise<LogPosition> | null = null
  private asked: Promise<LogPosition> | null = null

  constructor(options: StandbyOptions) {
    this.options = options
    const { servers, size, log } = options
    const limits = { ...options.limits, connectMs: CONNECT_MS }
    const pool = openPool({ servers, size, whose: 'callers', limits, sharesSessions: true, log })
    this.pool = { ...pool, connect: () => pool.connect().catch(asUnavailable) }
    this.beginnings = { callers: beginningOf('callers', limits), work: beginningOf('work', limits) }
  }

  /** Reads by statements of which each may go to the one or the other server. */
  askFor(whose: Whose, withinMs: number, signal: AbortSignal, primary: Ask): Ask {
    const { servers, limits } = this.options
    const cancel = (client: pg.ClientBase) => requestCancel(client, configOf(servers.current, limits), limits.cancelMs)
    return async (statement) => {
      if (statement.atPrimary || !this.isTried()) return primary(statement)
      const position = await this.newestPosition()
      try {
        const sender = senderBehind(position, this.beginnings[whose])
        const answer = await askPool(this.pool, statement, withinMs, { signal, cancel }, sender)
        this.note('answered')
        return answer
      } catch (error) {
        this.leave(error)
        return primary(statement)
      }
    }
  }

  /** One state of the database, which one server has. */
  async snapshot<Result>(work: (reader: Reader) => Promise<Result>, primary: () => Promise<Result>): Promise<Result> {
    if (!this.isTried()) return primary()
    let isBegun = false
    const begin = (reader: Reader) => {
      isBegun = true
      this.note('answered')
      return work(reader)
    }
    const position = await this.newestPosition()
    try {
      const connect = () => this.connectBehind(position)
      const from = { ...this.pool, connect, beginning: `${this.beginnings.work}; ${ONE_STATE}` }
      const { recurring, limits } = this.options
      return await inTransaction({ from, withinMs: limits.statementMs, recurring }, begin)
    } catch (error) {
      this.leave(error)
      if (isBegun) throw isConflict(error) ? new DatabaseUnavailable(error) : error
      return primary()
    }
  }

  /** Reads since the last call. */
  takeCounts(): ReadonlyMap<StandbyOutcome, number> {
    const { counts } = this
    this.counts = new Map()
    return counts
  }

  /** While the standby is away, one read at a time finds out whether it is back. */
  private isTried(): boolean {
    if (!this.isAway) return true
    const nowMs = systemClock.monotonicMs()
    if (nowMs < this.awayUntilMs) return false
    this.awayUntilMs = nowMs + AWAY_MS.unavailable
    return true
  }

  /** Asked after the call, once for all who call meanwhile. */
  private newestPosition(): Promise<LogPosition> {
    this.asked ??= (this.asking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.asking = this.asked
        this.asked = null
        return this.options.position()
      })
    return this.asked
  }

  /** A state is fixed by the first statement of its transaction, so the position is looked at before. */
  private async connectBehind(position: LogPosition): Promise<pg.PoolClient> {
    const client = await this.pool.connect()
    try {
      await untilReached(client, position)
      return client
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  private note(outcome: StandbyOutcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
    if (outcome !== 'answered' || !this.isAway) return
    this.isAway = false
    if (this.isWarned) this.options.log.info({ event: 'database.standby_used' }, 'Reads go to the standby again')
    this.isWarned = false
  }

  /** Throws what is no matter of the standby. */
  private leave(error: unknown): void {
    const outcome = outcomeOf(error)
    if (outcome === null) throw error
    this.note(outcome)
    const nowMs = systemClock.monotonicMs()
    this.isAway = true
    this.awayUntilMs = nowMs + AWAY_MS[outcome]
    if (nowMs - this.warnedMs < WARN_EVERY_MS) return
    this.warnedMs = nowMs
    this.isWarned = true
    this.options.log.warn(
      { event: 'database.standby_left', err: error, outcome },
      'Reads go to the primary, because the standby cannot answer them',
    )
  }
}

export const ONE_STATE = 'set transaction isolation level repeatable read, read only'

/** In one transaction, so that a pooler keeps to one server. */
function senderBehind(position: LogPosition, beginning: string): Sender {
  return async (client, statement, withinMs) => {
    await send(client, { text: beginning }, ANSWER_MS)
    await untilReached(client, position)
    return sendTogether(client, [statement, { text: 'commit' }], 0, withinMs)
  }
}

async function untilReached(client: pg.ClientBase, { history, lsn }: LogPosition): Promise<void> {
  const giveUpAtMs = systemClock.monotonicMs() + REPLAY_WITHIN_MS
  for (;;) {
    const { rows } = await send(client, { text: REACHED, values: [history, lsn] }, ANSWER_MS)
    if ((rows[0] as { reached: boolean }).reached) return
    if (systemClock.monotonicMs() >= giveUpAtMs) throw new Behind('the standby has not replayed what the primary has')
    await systemClock.wait(LOOK_MS)
  }
}

/** Also a wrong password or a missing database: the primary answers. */
function asUnavailable(error: unknown): never {
  throw new DatabaseUnavailable(error)
}

/** Replay cancels statements that are in its way for too long. */
function isConflict(error: unknown): boolean {
  return databaseCodeOf(error) === '40001' || databaseCodeOf(error) === '40P01'
}

function outcomeOf(error: unknown): Exclude<StandbyOutcome, 'answered'> | null {
  if (error instanceof Behind) return 'behind'
  if (isConflict(error)) return 'conflict'
  return error instanceof DatabaseUnavailable ? 'unavailable' : null
}
