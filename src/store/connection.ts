import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { SECOND_MS, systemClock } from '../kernel/clock.ts'

/** Limits of this side's waits, in milliseconds. */
export interface DatabaseLimits {
  connectMs: number
  /** Longer than the server's own limit, so that it catches only silent servers. */
  statementMs: number
  callerMs: number
  cancelMs: number
  /** Checks a listening connection: a dropped one looks like a quiet one. */
  listenCheckMs: number
  listenAnswerMs: number
  closeMs: number
}

const SERVER_STATEMENT_MS = 60 * SECOND_MS
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

export type Whose = 'work' | 'callers'

/** Without the limits of a session, for a pooler that shares sessions. */
export function configOf(server: pg.ClientConfig, { connectMs }: Pick<DatabaseLimits, 'connectMs'>): pg.ClientConfig {
  return {
    ...server,
    types,
    // Sends concurrent statements of a transaction at once.
    pipeline: true,
    application_name: 'earshot',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  }
}

/** Sets the limits as a session begins. */
export function optionsOf(whose: Whose, limits: DatabaseLimits): string {
  return Object.entries(sessionOf(whose, limits))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Begins a transaction and sets the limits in it, where a session is shared with others. */
export function beginningOf(whose: Whose, limits: DatabaseLimits): string {
  const set = Object.entries(sessionOf(whose, limits)).map(([name, value]) => `set local ${name} = '${value}'`)
  return ['begin', ...set].join('; ')
}

/** No parallel workers for callers: with two per expensive statement, callers' few statements would use every core. */
function sessionOf(whose: Whose, { callerMs }: DatabaseLimits): Record<string, string | number> {
  const limits = { timezone: 'UTC', idle_in_transaction_session_timeout: 60_000 }
  return whose === 'work'
    ? { ...limits, statement_timeout: SERVER_STATEMENT_MS }
    : { ...limits, statement_timeout: callerMs, max_parallel_workers_per_gather: 0 }
}

/** Statements in flight fail. */
export function cut(client: pg.ClientBase): void {
  ;(client as pg.Client).connection.stream.destroy()
}

const unanswered = new WeakMap<pg.ClientBase, (() => void)[]>()

/**
 * `withinMs` counts from the previous result: a later statement, above all the rollback, would otherwise wait as long
 * again behind it. Uses callbacks and a timer of its own, because the driver's time limit and promises chain the
 * results, so that the garbage collector copies and keeps them until a full collection.
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
    // The driver copies a plain config property by property, which takes longer than the rest of its work.
    client.query(Object.assign(new pg.Query(text, values, answered), { name }))
  })
}

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
 * Sends a cancel request over its own connection, without a reply. It may hit a later statement, so the connection must
 * be discarded.
 */
export function requestCancel(client: pg.ClientBase, config: pg.ClientConfig, withinMs: number): Promise<void> {
  const { processID, secretKey, host, port } = client as unknown as Wire
  const { connection, ssl } = new pg.Client(config) as unknown as Wire
  return new Promise((resolve) => {
    const end = () => {
      putOff()
      connection.stream.destroy()
      resolve()
    }
    const putOff = systemClock.alarm(withinMs, end)
    const ask = () => connection.cancel(processID, secretKey)
    connection.on('error', end)
    connection.on('end', end)
    connection.on('connect', () => (ssl ? connection.requestSsl() : ask()))
    connection.on('sslconnect', ask)
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}

/** A connection to a silent server would keep the process alive until TCP gives up. */
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

/** An inexact number is a defect and is not rounded. */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the database answered ${text}, which does not fit a number exactly`)
  return value
}

const parseInstant: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

/**
 * Parses text such as 2026-11-20 09:30:00.123456+00 digit by digit, because a page of mentions has hundreds of
 * instants. Other forms, such as infinity, go to the driver.
 */
function instant(text: string): Date {
  const end = text.length - ZONE.length
  // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
  if (
    end < 19 ||
    text.charCodeAt(0) === ZERO ||
    text.charCodeAt(4) !== DASH ||
    text.charCodeAt(10) !== SPACE ||
    !text.endsWith(ZONE)
  )
    return parseInstant(text)
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  // PostgreSQL drops trailing zeros.
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
