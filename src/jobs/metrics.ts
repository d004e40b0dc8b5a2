import { counter, histogram, type MetricsOf, WORK_SECONDS } from '../kernel/metrics.ts'

export const JOB_METRICS = {
  jobs: counter('earshot_jobs_total', 'Runs of recurring jobs: done or failed.', ['job', 'outcome']),
  jobChanges: counter(
    'earshot_job_changes_total',
    'What recurring jobs changed, such as removed rows, for jobs that count it.',
    ['job'],
  ),
  jobSeconds: histogram('earshot_job_seconds', 'One run of a recurring job.', ['job'], WORK_SECONDS),
}

export type JobMetrics = MetricsOf<typeof JOB_METRICS>
