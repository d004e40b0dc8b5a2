import { counter, gauge, histogram, type MetricsOf, type QueueMetrics, WORK_SECONDS } from '../../kernel/metrics.ts'

export const WATCH_METRICS = {
  keywordsWatched: gauge('earshot_keywords_watched', 'Keywords that this process looks for.', []),
  indexBytes: gauge('earshot_index_bytes', 'Memory of the matching index.', []),
  keywordChanges: counter('earshot_keyword_changes_total', 'Changed keywords that this process took over.', []),
  keywordChangeSeconds: histogram(
    'earshot_keyword_change_seconds',
    'From the notification of a keyword change until it counts.',
    [],
    WORK_SECONDS,
  ),
}

export type WatchMetrics = MetricsOf<typeof WATCH_METRICS> & QueueMetrics
