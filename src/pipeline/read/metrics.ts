import { counter, type MetricsOf } from '../../kernel/metrics.ts'

export const READ_METRICS = {
  sourceFaults: counter(
    'earshot_source_faults_total',
    'Times that collecting from a platform failed, by kind of fault.',
    ['platform', 'fault'],
  ),
}

export type ReadMetrics = MetricsOf<typeof READ_METRICS>
