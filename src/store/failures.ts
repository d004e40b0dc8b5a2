import type { DatabaseError } from 'pg'

/** Retrying may succeed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached for the moment', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

export class StatementTooLong extends Error {
  constructor(cause: unknown) {
    super('a statement took longer than it may', { cause })
    this.name = 'StatementTooLong'
  }
}

/** Cancelled or never sent, because the caller no longer waits. */
export class AnswerNotWanted extends Error {
  constructor() {
    super('nobody waits for the answer of a statement any more')
    this.name = 'AnswerNotWanted'
  }
}

/** A time limit or a cancel request ended the statement. */
const CANCELED = '57014'
/** Classes and codes that mean "no connection", not "bad statement". */
const UNAVAILABLE = /^(08|57P0|53300|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/

export async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (databaseCodeOf(error) === CANCELED) throw new StatementTooLong(error)
    if (error instanceof DatabaseUnavailable || UNAVAILABLE.test(databaseCodeOf(error)) || isLostConnection(error))
      throw new DatabaseUnavailable(error)
    throw error
  }
}

export function databaseCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The driver has no codes for a lost connection and a pool timeout. */
const LOST = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error',
    'Client was closed and is not queryable',
  ].join('|'),
  'i',
)

function isLostConnection(error: unknown): boolean {
  return error instanceof Error && LOST.test(error.message)
}

export function violatesUnique(error: unknown, constraint: string): boolean {
  return violatesAnyUnique(error) && (error as DatabaseError).constraint === constraint
}

export function violatesAnyUnique(error: unknown): boolean {
  return databaseCodeOf(error) === '23505'
}

export function violatesForeignKey(error: unknown): boolean {
  return databaseCodeOf(error) === '23503'
}

export function isLockTimeout(error: unknown): boolean {
  return databaseCodeOf(error) === '55P03'
}

export interface ValuesRefused extends Error {
  code: string
  /** Only known for a missing value. */
  column?: string
}

/** The server refuses values: their form (class 22) or a rule of the schema (class 23). */
export function refusesValues(error: unknown): error is ValuesRefused {
  return /^2[23]/.test(databaseCodeOf(error))
}

/**
 * The operator must act: read only (such as a standby), disk full, a missing right, or a missing table, column or
 * function.
 */
const NOT_READY = new Set(['25006', '53100', '42501', '42P01', '42703', '42883'])

export function isNotReady(error: unknown): boolean {
  return NOT_READY.has(databaseCodeOf(error))
}
