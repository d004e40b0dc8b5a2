import { underAny } from '../../kernel/concurrency/under-any.ts'
import type { Log } from '../../kernel/log.ts'
import { type FeedSource, SourceFault } from '../../sources/contract.ts'
import { LeaseLost, type SourceLease } from '../../store/source/source-leases.ts'
import type { Intake } from '../store/intake.ts'
import { FailureRun, type Reporting, reportFailure, restMs } from './failures.ts'

/**
 * Repeats `once` until `signal` is aborted or another process has the lease. Failures rest and continue from the stored
 * cursor.
 */
export async function keepCollecting(
  source: FeedSource,
  lease: SourceLease,
  reporting: Reporting,
  signal: AbortSignal,
  once: (run: FailureRun) => Promise<void>,
): Promise<void> {
  const { clock, log } = reporting
  const { platform } = source
  const run = new FailureRun(clock)
  while (!signal.aborted) {
    try {
      await once(run)
    } catch (error) {
      if (error instanceof LeaseLost)
        return log.warn({ event: 'source.lease_lost', platform }, 'Another process collects from this platform now')
      if (signal.aborted)
        return log.debug(
          { event: 'source.poll_cut', err: error, platform },
          'Collecting was cut short; it continues from the stored cursor',
        )
      const failures = run.noteFailure(source.mode === 'live' && error instanceof SourceFault)
      await reportFailure(source, lease, reporting, error)
      await clock.wait(restMs(source, error, failures), signal)
    }
  }
}

/** Lets a live feed fill the intake until `signal` is aborted, and waits until all is stored. */
export async function fillIntake(
  intake: Intake,
  { platform, log, signal }: { platform: string; log: Log; signal: AbortSignal },
  takeAll: (ending: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    // A quiet feed would not notice by itself that storing failed.
    await underAny([signal, intake.failed], takeAll)
  } catch (error) {
    intake.failed.throwIfAborted()
    // The feed's own error is rethrown. Posts that could not be stored are read again.
    await intake
      .finish()
      .catch((failure: unknown) =>
        log.warn({ event: 'source.store_failed', err: failure, platform }, 'The last posts could not be stored'),
      )
    throw error
  }
  await intake.finish()
}
