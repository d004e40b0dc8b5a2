import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { beginningOf, configOf, type DatabaseLimits, optionsOf, send, type Whose } from './connection.ts'
import { AnswerNotWanted, databaseCodeOf, guarded } from './failures.ts'
import { type Ask, readerOn, type Transaction } from './reader.ts'
import type { RecurringTexts } from './recurring-texts.ts'
import { clientOf, cutFormer, type Servers } from './servers.ts'

const ABORTED = '25P02'

export interface PoolOptions {
  servers: Servers
  size: number
  whose: Whose
  limits: DatabaseLimits
  /** True for a pooler that gives each transaction whichever session is free: nothing may be left in one. */
  sharesSessions: boolean
  log: Log
}

export interface OpenPool {
  pool: pg.Pool
  open: ReadonlySet<pg.PoolClient>
  connect(): Promise<pg.PoolClient>
  sharesSessions: boolean
  /** The statements that begin a transaction. */
  beginning: string
}

export function openPool({ servers, size, whose, limits, sharesSessions, log }: PoolOptions): OpenPool {
  const pool = new pg.Pool({
    ...configOf(servers.current, limits),
    ...(sharesSessions ? {} : { options: optionsOf(whose, limits) }),
    Client: clientOf(servers) as unknown as new () => pg.ClientBase,
    max: size,
    idleTimeoutMillis: 30_000,
  })
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
  cutFormer(servers, open)
  const beginning = sharesSessions ? beginningOf(whose, limits) : 'begin'
  return { pool, open, connect: () => servers.reach(() => pool.connect()), sharesSessions, beginning }
}

export async function allGone({ pool, open }: OpenPool): Promise<void> {
  while (open.size > 0) await new Promise<void>((resolve) => pool.once('remove', () => resolve()))
}

export type Sender = (client: pg.ClientBase, statement: pg.QueryConfig, withinMs: number) => Promise<pg.QueryResult>

export interface Ending {
  signal: AbortSignal
  cancel(client: pg.ClientBase): Promise<void>
}

/** Discards the connection after a failure, and after a cancel request, which may arrive during the next statement. */
export async function askPool(
  from: OpenPool,
  statement: pg.QueryConfig,
  withinMs: number,
  ending: Ending | null = null,
  sender: Sender = from.sharesSessions ? senderAlone(from.beginning) : send,
): Promise<pg.QueryResult> {
  return await guarded(async () => {
    if (ending?.signal.aborted) throw new AnswerNotWanted()
    const client = await from.connect()
    let cancelled: Promise<void> | null = null
    const cancel = () => {
      cancelled = ending!.cancel(client)
    }
    try {
      if (ending?.signal.aborted) throw new AnswerNotWanted()
      ending?.signal.addEventListener('abort', cancel, { once: true })
      const result = await sender(client, statement, withinMs)
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

/** In a transaction of its own, all of it sent at once. */
function senderAlone(beginning: string): Sender {
  return (client, statement, withinMs) =>
    sendTogether(client, [{ text: beginning }, statement, { text: 'commit' }], 1, withinMs)
}

/** Returns the answer to the statement at `wanted`. Throws the first failure, of which later ones are consequences. */
export async function sendTogether(
  client: pg.ClientBase,
  statements: readonly pg.QueryConfig[],
  wanted: number,
  withinMs: number,
): Promise<pg.QueryResult> {
  const sent = statements.map((statement) => send(client, statement, withinMs))
  for (const answer of await Promise.allSettled(sent)) if (answer.status === 'rejected') throw answer.reason
  return await sent[wanted]!
}

export interface Transacting {
  from: OpenPool
  withinMs: number
  recurring: RecurringTexts | null
}

export async function inTransaction<Result>(
  { from, withinMs, recurring }: Transacting,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await guarded(from.connect)
  const ask: Ask = (statement) => guarded(() => send(client, statement, withinMs))
  let broken: Error | undefined
  try {
    await ask({ text: from.beginning })
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
