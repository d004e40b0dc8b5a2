import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Services } from '../../src/commands/writing.ts'
import { createLog } from '../../src/kernel/log.ts'
import { DeliverStage } from '../../src/pipeline/deliver/deliver.ts'
import type { Database, Reader, Statement, Transaction } from '../../src/store/database.ts'
import { createMetrics } from '../metrics.ts'
import { channelsWith } from '../stand-ins/channels.ts'
import type { Receivers } from './receivers.ts'

/** Work on the database that has not ended, over all processes. */
export interface Busy {
  begin(): void
  end(): void
  /** Resolves once nothing is being done. */
  over(): Promise<void>
}

export function createBusy(): Busy {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    begin() {
      count += 1
    },
    end() {
      count -= 1
      if (count > 0) return
      for (const wake of waiting) wake()
      waiting = []
    },
    over: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** A process that delivers, and may die at any statement. */
export interface Worker {
  number: number
  /** What it logged as going wrong while it lived. */
  complaints: readonly string[]
  services: Services
  stage: DeliverStage
  /**
   * Dies before its `statement`-th statement from now, with whatever transaction it is in, or right behind a commit
   * that it then never learns of.
   */
  crashAt(statement: number, behindCommit: boolean): void
  readonly isDead: boolean
  /** Dies at once. */
  kill(): void
  /** Ends in order. */
  stop(): Promise<void>
}

const NEVER = new Promise<never>(() => undefined)
const CRASH = new Error('the process has crashed')

export function startWorker(number: number, shared: Services, receivers: Receivers, busy: Busy): Worker {
  let dead = false
  let left = Number.POSITIVE_INFINITY
  let behindCommit = false
  const complaints: string[] = []
  const isAlive = () => !dead
  const step = () => {
    if (dead) return
    left -= 1
    if (left <= 0) dead = true
  }
  /** Counts as work while it runs; of a dead process nothing ever comes back. */
  const during = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (dead) return await NEVER
    busy.begin()
    const result = await work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    busy.end()
    if (dead) return await NEVER
    if ('error' in result) throw result.error
    return result.value
  }
  const readerOf = (reader: Reader): Reader => ({
    query: <Row>(statement: Statement<Row>) => {
      step()
      return dead && !behindCommit ? Promise.reject(CRASH) : reader.query(statement)
    },
    run: <Row>(name: string, text: string, values: readonly unknown[]) => {
      step()
      return dead && !behindCommit ? Promise.reject(CRASH) : reader.run<Row>(name, text, values)
    },
  })
  const reader = readerOf(shared.db)
  const db: Database = {
    ...shared.db,
    query: (statement) => during(() => reader.query(statement)),
    run: <Row>(name: string, text: string, values: readonly unknown[]) =>
      during(() => reader.run<Row>(name, text, values)),
    transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
      during(() => shared.db.transaction(async (tx) => work({ ...readerOf(tx), inTransaction: true } as Transaction))),
  }
  const services: Services = { ...shared, db, channels: channelsWith(receivers.channelOf(number, isAlive)) }
  const { clock, channels, around, sealer } = services
  const log = createLog('warn', { write: (line: string) => void (dead || complaints.push(line)) })
  const stage = new DeliverStage({ db, clock, log, metrics: createMetrics(), channels, around, sealer })
  const ending = new AbortController()
  const running = stage.run(ending.signal)
  return {
    number,
    complaints,
    services,
    stage,
    crashAt(statement, behind) {
      left = statement
      behindCommit = behind
    },
    get isDead() {
      return dead
    },
    kill() {
      dead = true
    },
    async stop() {
      ending.abort()
      await running
    },
  }
}

/**
 * Waits until everybody waits for the clock, or for nothing: what one piece of work leads to begins within a few turns.
 */
export async function quiet(busy: Busy): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) {
    await busy.over()
    await nextTurn()
  }
  await busy.over()
}
