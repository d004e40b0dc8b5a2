import { counter, gauge, type MetricsOf } from '../kernel/metrics.ts'

export const CONNECTION_METRICS = {
  databaseConnections: gauge(
    'earshot_database_connections',
    'Connections of the pool: busy, idle, or wanted and not there yet.',
    ['state'],
  ),
  standbyReads: counter(
    'earshot_standby_reads_total',
    'Reads of callers that the standby answered, or left to the primary: behind, unavailable or in conflict.',
    ['outcome'],
  ),
}

export type ConnectionMetrics = MetricsOf<typeof CONNECTION_METRICS>
