import {
  AGE_SECONDS,
  counter,
  histogram,
  type MetricsOf,
  type QueueMetrics,
  WORK_SECONDS,
} from '../../kernel/metrics.ts'

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

export const STORE_STAGE_METRICS = {
  mentionsStored: counter('earshot_mentions_stored_total', 'Mentions that were made.', ['platform']),
  storeSeconds: histogram(
    'earshot_store_seconds',
    'Storing one group of matched posts, which may take several transactions.',
    [],
    WORK_SECONDS,
  ),
  storeBatch: histogram('earshot_store_batch_mentions', 'Mentions made by one transaction.', [], BATCH_SIZES),
  postVisibleSeconds: histogram(
    'earshot_post_visible_seconds',
    'From handing a post over, read and matched, until its mentions were stored.',
    ['platform'],
    AGE_SECONDS,
  ),
}

export type StoreStageMetrics = MetricsOf<typeof STORE_STAGE_METRICS> & QueueMetrics
