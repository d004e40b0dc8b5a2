import { SECOND_MS } from '../kernel/clock.ts'
import {
  FairSemaphore,
  type PermittedRequest,
  type PermittedRequestOptions,
} from '../kernel/concurrency/fair-semaphore.ts'
import type { Uuid } from '../kernel/ids.ts'
import { unlessFrozen } from '../queries/elsewhere.ts'
import type { QueryContext } from '../queries/reading.ts'
import type { Services } from './definition.ts'

type Reader = QueryContext['db']
type Database = Services['db']

/** Statements that a workspace may have running at once for its callers, and transactions of theirs. */
export const READS_AT_ONCE = 2
const CHANGES_AT_ONCE = 3
/**
 * How long a workspace may read with more than one statement at a time, which a page does and a flood has soon used up.
 */
const BURST_MS = 2 * SECOND_MS
/** Requests of a workspace that may wait to begin with theirs, and how long each may wait in all. */
export const WAITING_MOST = 40
const WAITING_MS = 10 * SECOND_MS
/** Statements of exports that run at once in this process, and for one workspace. */
const EXPORTS_AT_ONCE = 2
const EXPORTS_OF_WORKSPACE_AT_ONCE = 1
/** States of the database that exports hold at once in this process, each with a connection. */
const SNAPSHOTS_AT_ONCE = 1

/**
 * What each workspace may ask of the database at once in this process. A statement holds a permit until it is answered,
 * never while somebody reads the answer; so a request that asks several at once only waits longer. Permits go round the
 * workspaces. Statements without a caller, such as those of sign-in, credentials, collecting and deliveries, need none.
 */
export class Shares {
  private readonly db: Database
  private readonly reads: FairSemaphore
  private readonly exports: FairSemaphore
  private readonly snapshots: FairSemaphore
  private readonly changes: FairSemaphore

  constructor({ db, clock }: Pick<Services, 'db' | 'clock'>) {
    const waits = { waiting: WAITING_MOST, waitMs: WAITING_MS, burstMs: BURST_MS }
    this.db = db
    this.reads = new FairSemaphore(clock, { inAll: db.callerConnections, perKey: READS_AT_ONCE, ...waits })
    this.exports = new FairSemaphore(clock, { inAll: EXPORTS_AT_ONCE, perKey: EXPORTS_OF_WORKSPACE_AT_ONCE, ...waits })
    this.snapshots = new FairSemaphore(clock, { inAll: SNAPSHOTS_AT_ONCE, perKey: SNAPSHOTS_AT_ONCE, ...waits })
    this.changes = new FairSemaphore(clock, { inAll: Number.POSITIVE_INFINITY, perKey: CHANGES_AT_ONCE, ...waits })
  }

  /** Reads for one request; what still runs is ended when its caller has gone away. */
  readerFor(
    workspaceId: Uuid,
    signal: AbortSignal,
    { patient = false }: Pick<PermittedRequestOptions, 'patient'> = {},
  ): Reader {
    return underPermits(this.reads.request(workspaceId, { signal, patient }), this.db.readerFor('caller', signal))
  }

  /** Reads for one export. How many are open is bounded, so none is sent away for what it has waited. */
  exporterFor(workspaceId: Uuid, signal: AbortSignal): Reader {
    return underPermits(
      this.exports.request(workspaceId, { signal, patient: true }),
      this.db.readerFor('long answer', signal),
    )
  }

  /** One state of the database for one export, which waits until no other holds one. */
  snapshotFor(workspaceId: Uuid, signal: AbortSignal) {
    const request = this.snapshots.request(workspaceId, { signal, patient: true })
    return <Result>(work: (db: Reader) => Promise<Result>) => request.run(() => this.db.snapshot(work, 'long answer'))
  }

  /**
   * Everything for one request that changes something, which goes on to its end whether its caller waits or not. Its
   * reads lead to changes, so all are of the primary.
   */
  databaseFor(workspaceId: Uuid): Database {
    const reads = underPermits(
      this.reads.request(workspaceId),
      this.db.readerFor('caller', new AbortController().signal, { atPrimary: true }),
    )
    const changes = this.changes.request(workspaceId)
    return {
      ...this.db,
      ...reads,
      transaction: (work) => changes.run(() => this.db.transaction((tx) => unlessFrozen(tx, workspaceId, work))),
    }
  }
}

function underPermits(request: PermittedRequest, reader: Reader): Reader {
  return {
    query: (statement, how) => request.run(() => reader.query(statement, how)),
    run: (name, text, values) => request.run(() => reader.run(name, text, values)),
  }
}
