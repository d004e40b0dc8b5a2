import type { Services } from '../commands/writing.ts'
import type { Log } from '../kernel/log.ts'
import type { Job } from './schedule.ts'

/** Runs every job at once and then at its interval, until `signal` is aborted; one that fails is logged and comes again. */
export async function runJobs(jobs: readonly Job[], services: Services, log: Log, signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => repeat(job, services, log, signal)))
}

async function repeat(job: Job, services: Services, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await job.run(services)
    } catch (error) {
      log.error({ err: error, job: job.name }, 'a job failed; it runs again at its next time')
    }
    await services.clock.wait(job.everyMs, signal)
  }
}
