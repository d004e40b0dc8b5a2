/** The database cannot be reached or has just gone away; retrying may succeed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached for the moment', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** The server ended a statement at its time limit. */
export class StatementTooLong extends Error {
  constructor(cause: unknown) {
    super('a statement took longer than it may', { cause })
    this.name = 'StatementTooLong'
  }
}

/** A statement was cancelled, or never sent, because its caller no longer waits. */
export class AnswerNotWanted extends Error {
  constructor() {
    super('nobody waits for the answer of a statement any more')
    this.name = 'AnswerNotWanted'
  }
}

/** SQLSTATE of a statement that its time limit or a cancel request ended. */
const CANCELED = '57014'
/** SQLSTATE classes and socket error codes that mean "no connection" rather than "bad statement". */
const UNAVAILABLE = /^(08|57P0|53300|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/

/** Converts failures of `work` to the classes of this module where one applies. */
export async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) === CANCELED) throw new StatementTooLong(error)
    if (error instanceof DatabaseUnavailable || UNAVAILABLE.test(codeOf(error)) || isLostConnection(error))
      throw new DatabaseUnavailable(error)
    throw error
  }
}

/** The SQLSTATE or the socket's error code; empty for other failures. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Messages of the driver for a lost connection and for a pool timeout, which have no codes. */
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
