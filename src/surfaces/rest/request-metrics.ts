import { counter, histogram, type MetricSet, type MetricsOf, WORK_SECONDS } from '../../kernel/metrics.ts'

export const REQUEST_METRICS = {
  requests: counter('earshot_http_requests_total', 'Requests to the interface, by operation and status.', [
    'operation',
    'status',
  ]),
  requestSeconds: histogram(
    'earshot_http_request_seconds',
    'From the head of a request until its answer was handed over or the caller was gone.',
    ['operation'],
    WORK_SECONDS,
  ),
}

export type ServedMetrics = MetricsOf<typeof REQUEST_METRICS> & MetricSet
