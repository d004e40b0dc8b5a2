import { gauge, type MetricsOf } from '../kernel/metrics.ts'

export const DISK_METRICS = {
  databaseBytes: gauge(
    'earshot_database_bytes',
    'The size of the database. Processes look by turns, so take the value of any process that has one.',
    [],
  ),
  diskFreeBytes: gauge(
    'earshot_database_free_bytes',
    'Free space on the volume of the embedded database; absent with DATABASE_URL.',
    [],
  ),
}

export type DiskMetrics = MetricsOf<typeof DISK_METRICS>
