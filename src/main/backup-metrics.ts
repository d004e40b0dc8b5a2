import { gauge, type MetricsOf } from '../kernel/metrics.ts'

export const BACKUP_METRICS = {
  backupSucceeded: gauge(
    'earshot_backup_last_success_timestamp_seconds',
    'When the last scheduled backup ended, in seconds since 1970; 0 before the first. Processes look by turns, so ' +
      'take the largest value of all.',
    [],
  ),
}

export type BackupMetrics = MetricsOf<typeof BACKUP_METRICS>
