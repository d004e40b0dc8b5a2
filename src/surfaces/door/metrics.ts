import { counter, gauge, histogram, type MetricSet, type MetricsOf, WORK_SECONDS } from '../../kernel/metrics.ts'

export const DOOR_METRICS = {
  doorRequests: counter(
    'earshot_door_requests_total',
    'Requests to the door by the cell that answered, or `door` for its own answers.',
    ['cell', 'status'],
  ),
  doorLookups: counter('earshot_door_lookups_total', 'Searches for the cell of a credential, person or link.', [
    'finding',
  ]),
  doorLookupSeconds: histogram(
    'earshot_door_lookup_seconds',
    'How long cells took to say whether they have something that the door did not remember.',
    ['finding'],
    WORK_SECONDS,
  ),
  doorCellUp: gauge('earshot_door_cell_up', '1 while the cell answers the door, else 0.', ['cell']),
}

export type DoorMetrics = MetricsOf<typeof DOOR_METRICS> & MetricSet
