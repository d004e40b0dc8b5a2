import { SECOND_MS } from '../kernel/clock.ts'
import type { Uuid } from '../kernel/ids.ts'
import { Turns, type Visit, type VisitOptions } from '../kernel/turns.ts'
import type { Reading } from '../queries/reading.ts'
import type { Services } from './definition.ts'

type Reader = Reading['db']
type Database = Services['db']

/** Statements that a workspace may have running at once for its callers, and transactions of theirs. */
export const READS_AT_ONCE = 2
const CHANGES_AT_ONCE = 3
/** Requests of a workspace that may wait to begin with theirs, and how long each may wait in all. */
export const WAITING_MOST = 40
const WAITING_MS = 10 * SECOND_MS
/** Statements of exports that run at once in this process, and for one workspace. */
const EXPORTS_AT_ONCE = 2
const EXPORTS_OF_WORKSPACE_AT_ONCE = 1

/**
 * What each workspace may ask of the database at once in this process. A statement waits for its turn and holds it until it is
 * answered, never while somebody reads the answer; so a request that asks several at once only waits longer. Workspaces take turns,
 * and what has no caller, such as sign-in, credentials, collecting and deliveries, does not stand in these lines.
 */
export class Shares {
  private readonly db: Database
  private readonly reads: Turns
  private readonly exports: Turns
  private readonly changes: Turns

  constructor({ db, clock }: Pick<Services, 'db' | 'clock'>) {
    const waits = { waiting: WAITING_MOST, waitMs: WAITING_MS }
    this.db = db
    this.reads = new Turns(clock, { inAll: db.callerConnections, perKey: READS_AT_ONCE, ...waits })
    this.exports = new Turns(clock, { inAll: EXPORTS_AT_ONCE, perKey: EXPORTS_OF_WORKSPACE_AT_ONCE, ...waits })
    this.changes = new Turns(clock, { inAll: Number.POSITIVE_INFINITY, perKey: CHANGES_AT_ONCE, ...waits })
  }

  /** Reads for one request; what still runs is ended when its caller has gone away. */
  readerFor(workspaceId: Uuid, signal: AbortSignal, { patient = false }: Pick<VisitOptions, 'patient'> = {}): Reader {
    return inTurn(this.reads.visit(workspaceId, { signal, patient }), this.db.readerFor('caller', signal))
  }

  /** Reads for one export. How many are open is bounded, so none is sent away for what it has waited. */
  exporterFor(workspaceId: Uuid, signal: AbortSignal): Reader {
    return inTurn(this.exports.visit(workspaceId, { signal, patient: true }), this.db.readerFor('long answer', signal))
  }

  /** Everything for one request that changes something, which goes on to its end whether its caller waits or not. */
  databaseFor(workspaceId: Uuid): Database {
    const reads = inTurn(this.reads.visit(workspaceId), this.db.readerFor('caller', new AbortController().signal))
    const changes = this.changes.visit(workspaceId)
    return { ...this.db, ...reads, transaction: (work) => changes.take(() => this.db.transaction(work)) }
  }
}

function inTurn(visit: Visit, reader: Reader): Reader {
  return {
    query: (statement, how) => visit.take(() => reader.query(statement, how)),
    run: (name, text, values) => visit.take(() => reader.run(name, text, values)),
  }
}
