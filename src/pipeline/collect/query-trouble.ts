import type { Platform } from '../../domain/platform/platforms.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { QuotaReached, SourceFault } from '../../sources/contract.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import { type DueQuery, noteUnpolled } from '../../store/source/source-queries.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import type { AskedSource } from './asked-source.ts'
import type { CollectOptions } from './collect.ts'
import { backOffMs, CREDENTIALS_MS, reportFailure } from './failures.ts'
import { baseMs } from './intervals.ts'

/** What follows from a failure. */
export interface Trouble {
  /** For how long the platform is left alone by this process. */
  restMs: number
  /** Whether the failures of the platform in a row grow by it, and with them the next rest. */
  counts: boolean
  /** Whether people are to be told that the platform fares badly. */
  told: boolean
  /** For how long every process leaves the platform alone. */
  pauseMs: number
  /**
   * When what was asked for has its turn again, and how many failures that adds to it; null to leave its turn as it is.
   */
  query: { afterMs: number; failures: number } | null
}

/** So many failures at once that a query is asked alone from then on. */
const ALONE = 10
/** After any failure the platform is left alone for a moment, whatever it was about. */
const LEAST_REST_MS = SECOND_MS

export function troubleOf(
  source: AskedSource,
  queries: readonly DueQuery[],
  error: unknown,
  failures: number,
): Trouble {
  const backOff = backOffMs(error, failures)
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const base = { restMs: backOff, counts: true, told: true, pauseMs: 0, query: { afterMs: backOff, failures: 0 } }
  if (!(error instanceof SourceFault)) return { ...base, query: { afterMs: backOff, failures: 1 } }
  // The platform fares well; it is ours to wait.
  if (error instanceof QuotaReached) {
    const afterMs = Math.max(LEAST_REST_MS, asked)
    return { restMs: afterMs, counts: false, told: error.daily, pauseMs: 0, query: { afterMs, failures: 0 } }
  }
  // Nothing is asked for under an address of its own but a page.
  if (error.onlyThis && (error.kind !== 'gone' || source.mode === 'page')) {
    const afterMs = Math.max(asked, error.kind === 'gone' ? baseMs(source) : backOff)
    return { restMs: LEAST_REST_MS, counts: false, told: false, pauseMs: 0, query: { afterMs, failures: ALONE } }
  }
  if (error.kind === 'throttled') return { ...base, pauseMs: backOff }
  if (error.kind === 'credentials')
    return { ...base, restMs: CREDENTIALS_MS, query: { afterMs: CREDENTIALS_MS, failures: 0 } }
  if (error.kind === 'unavailable') return { ...base, query: { afterMs: backOff, failures: 1 } }
  // Where one answer has another form, that of another question may not: only what was asked for waits.
  const inVain = Math.max(...queries.map((query) => query.failures))
  const afterMs = Math.min(baseMs(source), MINUTE_MS * 2 ** Math.min(Math.floor(inVain / ALONE), 10))
  return { ...base, restMs: LEAST_REST_MS, query: { afterMs, failures: ALONE } }
}

/** What was asked for when something went wrong, and what follows. */
interface Troubled {
  source: AskedSource
  queries: readonly DueQuery[]
  error: unknown
  trouble: Trouble
}

/** Writes down what went wrong; false when that could not be done either. */
export async function noteTrouble(
  { source, queries, error, trouble }: Troubled,
  lease: SourceLease,
  options: CollectOptions,
): Promise<boolean> {
  const { clock } = options
  const { platform } = source
  if (trouble.pauseMs > 0) await pause(options, platform, trouble.pauseMs)
  const keys = queries.map(({ key }) => key)
  return await reportFailure(source, lease, { ...options, told: trouble.told }, error, async (tx, message) => {
    if (trouble.query === null) return
    const { afterMs, failures } = trouble.query
    await noteUnpolled(tx, platform, { keys, error: message, dueAt: plus(clock.now(), afterMs), failures })
  })
}

async function pause({ db, clock, log }: CollectOptions, platform: Platform, forMs: number): Promise<void> {
  await pauseSource(db, platform, plus(clock.now(), forMs)).catch((failure: unknown) =>
    log.warn(
      { event: 'source.pause_not_recorded', err: failure, platform },
      'A pause for a platform could not be recorded',
    ),
  )
}
