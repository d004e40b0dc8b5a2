import type { Platform } from '../../domain/platform/platforms.ts'
import { MINUTE_MS, plus, SECOND_MS } from '../../kernel/clock.ts'
import { QuotaReached, quotaPlatform, SourceFault } from '../../sources/contract.ts'
import type { SourceLease } from '../../store/source/source-leases.ts'
import { type DueQuery, noteUnpolled } from '../../store/source/source-queries.ts'
import { pauseSource } from '../../store/source/source-quotas.ts'
import type { CollectorOptions } from './collect.ts'
import { backOffMs, CREDENTIALS_MS, reportFailure } from './failures.ts'
import { baseMs } from './intervals.ts'
import type { PolledSource } from './polled-source.ts'

export interface Trouble {
  /** How long this process leaves the platform alone. */
  restMs: number
  counts: boolean
  isReported: boolean
  /** How long all processes leave the platform alone. */
  pauseMs: number
  /** When the queries are due again, with the failures added; null leaves them as they are. */
  query: { afterMs: number; failures: number } | null
}

const ALONE = 10
const LEAST_REST_MS = SECOND_MS

export function troubleOf(
  source: PolledSource,
  queries: readonly DueQuery[],
  error: unknown,
  failures: number,
): Trouble {
  const backOff = backOffMs(error, failures)
  const asked = error instanceof SourceFault ? (error.retryAfterSeconds ?? 0) * SECOND_MS : 0
  const base = { restMs: backOff, counts: true, isReported: true, pauseMs: 0, query: { afterMs: backOff, failures: 0 } }
  if (!(error instanceof SourceFault)) return { ...base, query: { afterMs: backOff, failures: 1 } }
  // A quota is our own limit, not a fault of the platform.
  if (error instanceof QuotaReached) {
    const afterMs = Math.max(LEAST_REST_MS, asked)
    return { restMs: afterMs, counts: false, isReported: error.daily, pauseMs: 0, query: { afterMs, failures: 0 } }
  }
  // Only a page has an address of its own, so only a page can be gone alone.
  if (error.onlyThis && (error.kind !== 'gone' || source.mode === 'page')) {
    const afterMs = Math.max(asked, error.kind === 'gone' ? baseMs(source) : backOff)
    return { restMs: LEAST_REST_MS, counts: false, isReported: false, pauseMs: 0, query: { afterMs, failures: ALONE } }
  }
  if (error.kind === 'throttled') return { ...base, pauseMs: backOff }
  if (error.kind === 'credentials')
    return { ...base, restMs: CREDENTIALS_MS, query: { afterMs: CREDENTIALS_MS, failures: 0 } }
  if (error.kind === 'unavailable') return { ...base, query: { afterMs: backOff, failures: 1 } }
  // Other queries may still get answers in the known shape, so only these queries wait.
  const inVain = Math.max(...queries.map((query) => query.failures))
  const afterMs = Math.min(baseMs(source), MINUTE_MS * 2 ** Math.min(Math.floor(inVain / ALONE), 10))
  return { ...base, restMs: LEAST_REST_MS, query: { afterMs, failures: ALONE } }
}

interface Troubled {
  source: PolledSource
  queries: readonly DueQuery[]
  error: unknown
  trouble: Trouble
}

export async function noteTrouble(
  { source, queries, error, trouble }: Troubled,
  lease: SourceLease,
  options: CollectorOptions,
): Promise<boolean> {
  const { clock } = options
  const { platform } = source
  if (trouble.pauseMs > 0) await pause(options, quotaPlatform(source), trouble.pauseMs)
  const keys = queries.map(({ key }) => key)
  const reporting = { ...options, isReported: trouble.isReported }
  return await reportFailure(source, lease, reporting, error, async (tx, message) => {
    if (trouble.query === null) return
    const { afterMs, failures } = trouble.query
    await noteUnpolled(tx, platform, { keys, error: message, dueAt: plus(clock.now(), afterMs), failures })
  })
}

async function pause({ db, clock, log }: CollectorOptions, platform: Platform, forMs: number): Promise<void> {
  await pauseSource(db, platform, plus(clock.now(), forMs)).catch((failure: unknown) =>
    log.warn(
      { event: 'source.pause_not_recorded', err: failure, platform },
      'A pause for a platform could not be recorded',
    ),
  )
}
