import { gauge, type MetricsOf } from '../kernel/metrics.ts'

export const CONNECTION_METRICS = {
  databaseConnections: gauge(
    'earshot_database_connections',
    'Connections of the pool: busy, idle, or wanted and not there yet.',
    ['state'],
  ),
}

export type ConnectionMetrics = MetricsOf<typeof CONNECTION_METRICS>
