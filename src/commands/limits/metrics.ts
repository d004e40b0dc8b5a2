import { gauge, type MetricsOf } from '../../kernel/metrics.ts'

export const LIMIT_METRICS = {
  limitPeers: gauge('earshot_limit_peers', 'Other processes with which this one exchanges its counts of requests.', []),
  limitsAlone: gauge(
    'earshot_limits_alone',
    '1 while this process counts limits alone, because the exchange or the database fails; else 0.',
    ['counting'],
  ),
}

export type LimitMetrics = MetricsOf<typeof LIMIT_METRICS>
