import {
  AGE_SECONDS,
  counter,
  histogram,
  type MetricsOf,
  type QueueMetrics,
  WORK_SECONDS,
} from '../../kernel/metrics.ts'

export const DELIVER_METRICS = {
  deliveries: counter('earshot_deliveries_total', 'Attempts to deliver, by kind of channel and what became of them.', [
    'channel',
    'outcome',
  ]),
  deliverySeconds: histogram('earshot_delivery_seconds', 'One attempt to deliver.', ['channel'], WORK_SECONDS),
  deliveryAgeSeconds: histogram(
    'earshot_delivery_age_seconds',
    'From making a delivery until the receiver accepted it.',
    ['channel'],
    AGE_SECONDS,
  ),
  settleSeconds: histogram(
    'earshot_settle_seconds',
    'Writing the results of a group of attempts down.',
    [],
    WORK_SECONDS,
  ),
}

export type DeliverMetrics = MetricsOf<typeof DELIVER_METRICS> & QueueMetrics
