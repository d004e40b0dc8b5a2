import type { Services } from '../commands/writing.ts'
import { plus, SECOND_MS } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { JobMetrics } from './metrics.ts'
import type { Job } from './schedule.ts'

export interface JobOptions {
  services: Services
  log: Log
  metrics: JobMetrics
  /** Processes share one schedule. */
  turnOf(job: Job, at: Date): Promise<{ mine: boolean; dueAt: Date }>
}

/** A failed run is logged, and the next one is at its time. */
export async function runJobs(jobs: readonly Job[], options: JobOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => repeat(job, options, signal)))
}

async function repeat(job: Job, { services, log, metrics, turnOf }: JobOptions, signal: AbortSignal): Promise<void> {
  const { clock } = services
  while (!signal.aborted) {
    let nextAt = plus(clock.now(), job.everyMs)
    try {
      const { mine, dueAt } = await turnOf(job, clock.now())
      nextAt = dueAt
      if (mine) await run(job, services, log, metrics)
    } catch (error) {
      log.error({ event: 'job.failed', err: error, job: job.name }, 'A job failed; it runs again at its next time')
    }
    // The clock may have been set back.
    const waitMs = Math.min(job.everyMs, nextAt.getTime() - clock.now().getTime())
    await clock.wait(Math.max(waitMs, SHORTEST_WAIT_MS), signal)
  }
}

/** A job slower than its interval must not occupy the process. */
const SHORTEST_WAIT_MS = 100

/** Logs above debug level only if the run changed something. */
async function run(job: Job, services: Services, log: Log, metrics: JobMetrics): Promise<void> {
  const beganMs = services.clock.monotonicMs()
  let outcome = 'failed'
  try {
    const count = (await job.run(services)) ?? null
    outcome = 'done'
    metrics.jobChanges.inc({ job: job.name }, count ?? 0)
    log[count === null || count === 0 ? 'debug' : 'info'](
      { event: 'job.done', job: job.name, count, ms: Math.round(services.clock.monotonicMs() - beganMs) },
      'Job done',
    )
  } finally {
    metrics.jobs.inc({ job: job.name, outcome })
    metrics.jobSeconds.observe({ job: job.name }, (services.clock.monotonicMs() - beganMs) / SECOND_MS)
  }
}
