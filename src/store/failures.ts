/** The database cannot be reached or has just gone away; the same call may succeed later. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached for the moment', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** The server ended a statement because it took longer than what it is for may take. */
export class StatementTooLong extends Error {
  constructor(cause: unknown) {
    super('a statement took longer than it may', { cause })
    this.name = 'StatementTooLong'
  }
}

/** A statement was ended, or never asked, because nobody waits for its answer any more. */
export class AnswerNotWanted extends Error {
  constructor() {
    super('nobody waits for the answer of a statement any more')
    this.name = 'AnswerNotWanted'
  }
}

/** A statement was ended, by its time limit or by request. */
const CANCELED = '57014'
/** Classes of SQLSTATE and of socket errors that mean "no connection" rather than "no good statement". */
const UNAVAILABLE = /^(08|57P0|53300|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/

/** Runs what asks the database and lets it fail with the classes of this module where they say more. */
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

/** The SQLSTATE of what the server says, or the code of a socket's error; empty for other failures. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * What the driver says of a connection that is gone, and of one that the pool could not give in time; it has no codes
 * for them.
 */
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
