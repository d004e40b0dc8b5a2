import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'

/** How long this side waits for the server. All in milliseconds. */
export interface DatabaseLimits {
  /** For a connection to be made, and for one of the pool to be free. */
  connectMs: number
  /**
   * For the answer to a statement. The server ends a statement before that; it is for servers that have gone silent.
   */
  statementMs: number
  /** How long the server lets a statement of a caller take who waits for its answer. */
  callerMs: number
  /** For a request that ends a statement to arrive. */
  cancelMs: number
  /** Between two questions on a connection that listens: one that was dropped without a word looks like a quiet one. */
  listenCheckMs: number
  /** For the answer to such a question. */
  listenAnswerMs: number
  /** For connections to end when the database is closed. */
  closeMs: number
}

/** How long the server itself lets a statement take that no caller waits for. */
const SERVER_STATEMENT_MS = 60 * SECOND_MS
/** A server that has not ended a statement by so much later has gone silent. */
export const SILENT_MS = 5 * SECOND_MS

export const LIMITS: DatabaseLimits = {
  connectMs: 10 * SECOND_MS,
  statementMs: SERVER_STATEMENT_MS + SILENT_MS,
  callerMs: 5 * SECOND_MS,
  cancelMs: 5 * SECOND_MS,
  listenCheckMs: 20 * SECOND_MS,
  listenAnswerMs: 10 * SECOND_MS,
  closeMs: 5 * SECOND_MS,
}

/**
 * How every connection of ours is made, with the time that the server gives each of its statements. One for callers
 * computes with one process of the server: with the two helpers that a dear statement gets otherwise, the few that a
 * caller may have at once would keep every core busy.
 */
export function configOf(
  connection: string | pg.ClientConfig,
  { connectMs, callerMs }: DatabaseLimits,
  whose: 'work' | 'callers' = 'work',
): pg.ClientConfig {
  const own =
    whose === 'work'
      ? `statement_timeout=${SERVER_STATEMENT_MS}`
      : `statement_timeout=${callerMs} -c max_parallel_workers_per_gather=0`
  const config = typeof connection === 'string' ? { connectionString: connection } : connection
  return {
    ...config,
    types,
    // Statements of a transaction that are asked at once are sent at once, instead of each waiting for the answer to
    // the one before.
    pipeline: true,
    application_name: 'earshot',
    options: `-c timezone=UTC -c ${own} -c idle_in_transaction_session_timeout=60000`,
    // The pool waits as long for a connection that is free, and then fails in the same way.
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  }
}

/** Ends a connection without a word to the server. What was asked on it fails. */
export function cut(client: pg.ClientBase): void {
  ;(client as pg.Client).connection.stream.destroy()
}

/** The limits of the statements that were sent on a connection and have no answer yet, oldest first. */
const unanswered = new WeakMap<pg.ClientBase, (() => void)[]>()

/**
 * Runs one statement on a connection, which is cut when there is no answer within `withinMs`, counted from the answer
 * to the statement before: whatever else is asked on it, the rollback of its transaction first of all, would wait as
 * long again behind the statement without an answer.
 *
 * The driver's own time limit and its promises tie each answer to the next in such a way that the runtime keeps them
 * all until it tidies up everything, and copies them twice before. Callbacks and a timer that know nothing of the
 * statement do not.
 */
export function send(
  client: pg.ClientBase,
  { name, text, values }: pg.QueryConfig,
  withinMs: number,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const limits = unanswered.get(client) ?? []
    unanswered.set(client, limits)
    let putOff: () => void = () => undefined
    const begin = () => {
      putOff = systemClock.alarm(withinMs, () => cut(client))
    }
    limits.push(begin)
    if (limits.length === 1) begin()
    const answered = (error: Error | null | undefined, result: pg.QueryResult) => {
      putOff()
      const place = limits.indexOf(begin)
      limits.splice(place, 1)
      if (place === 0) limits[0]?.()
      if (error) reject(error)
      else resolve(result)
    }
    // Made here, because the driver copies a description property by property, which takes longer than all else that it
    // does before it sends.
    client.query(Object.assign(new pg.Query(text, values, answered), { name }))
  })
}

/** What the driver keeps of a connection and has no types for. */
interface Wire {
  host: string
  port: number
  ssl: unknown
  processID: number
  secretKey: number
  connection: EventEmitter & {
    stream: Socket
    connect(port: number | string, host?: string): void
    requestSsl(): void
    cancel(processId: number, secretKey: number): void
  }
}

/**
 * Asks the server to end what runs on a connection, as PostgreSQL has it: over a connection of its own, and without an
 * answer. Resolves when the server has taken the request, or the time is over. It may arrive when something else runs
 * there by then: the connection must be thrown away, whatever came of its statement.
 */
export function requestCancel(client: pg.ClientBase, config: pg.ClientConfig, withinMs: number): Promise<void> {
  const { processID, secretKey } = client as unknown as Wire
  const { connection, host, port, ssl } = new pg.Client(config) as unknown as Wire
  return new Promise((resolve) => {
    const end = () => {
      putOff()
      connection.stream.destroy()
      resolve()
    }
    const putOff = systemClock.alarm(withinMs, end)
    const ask = () => connection.cancel(processID, secretKey)
    // The time limit of the statement ends what no request reaches.
    connection.on('error', end)
    connection.on('end', end)
    connection.on('connect', () => (ssl ? connection.requestSsl() : ask()))
    connection.on('sslconnect', ask)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}

/**
 * Waits for connections to end in the ordinary way and cuts them when the time is over: one to a silent server would
 * keep the process alive for as long as the system believes in it.
 */
export async function cutUnless(
  ended: Promise<unknown>,
  withinMs: number,
  clients: Iterable<pg.Client>,
): Promise<void> {
  const over = new AbortController()
  const late = systemClock.wait(withinMs, over.signal).then(() => {
    if (!over.signal.aborted) for (const client of clients) cut(client)
  })
  await Promise.race([ended, late])
  over.abort()
}

/** Counts and amounts come as numbers; one that a number cannot hold exactly is a defect, not a rounding. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the database answered ${text}, which does not fit a number exactly`)
  return value
}

const parseInstant: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

/**
 * Instants come in UTC, such as 2026-11-20 09:30:00.123456+00, and are read digit by digit: a page of mentions has
 * hundreds of them. What looks otherwise, infinity among it, is left to the driver.
 */
function instant(text: string): Date {
  const end = text.length - ZONE.length
  // The calendar of JavaScript takes the years of the first century for those of the twentieth.
  if (
    end < 19 ||
    text.charCodeAt(0) === ZERO ||
    text.charCodeAt(4) !== DASH ||
    text.charCodeAt(10) !== SPACE ||
    !text.endsWith(ZONE)
  )
    return parseInstant(text)
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  // Of the fraction, whose last zeros are left out, the first three digits count.
  const millisecond =
    fractionDigit(text, 20, end) * 100 + fractionDigit(text, 21, end) * 10 + fractionDigit(text, 22, end)
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      millisecond,
    ),
  )
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

function fractionDigit(text: string, at: number, end: number): number {
  return at < end ? text.charCodeAt(at) - ZERO : 0
}

const ZONE = '+00'
const ZERO = 48
const DASH = 45
const SPACE = 32

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return exactNumber
    if (oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary') return instant
    if (oid === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}
