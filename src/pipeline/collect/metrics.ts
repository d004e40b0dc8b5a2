import { counter, gauge, type MetricsOf } from '../../kernel/metrics.ts'
import { READ_METRICS } from '../read/metrics.ts'

export const COLLECT_METRICS = {
  postsRead: counter('earshot_posts_read_total', 'Posts that a platform handed over.', ['platform']),
  postsMatched: counter('earshot_posts_matched_total', 'Posts that at least one keyword wanted.', ['platform']),
  postsPublished: counter('earshot_posts_published_total', 'Posts that went into the post stream.', ['platform']),
  streamBehind: gauge(
    'earshot_stream_behind_messages',
    'Messages of up to 100 posts in the post stream that this installation has not stored yet. It grows while ' +
      'storing is slower than posts come.',
    ['platform'],
  ),
  streamLost: gauge(
    'earshot_stream_lost_posts',
    'Posts that left the post stream before this installation read them, since it follows the stream.',
    ['platform'],
  ),
  ...READ_METRICS,
  queriesPolled: counter(
    'earshot_queries_polled_total',
    'Terms and pages that a platform was asked for, by outcome: found, empty or failed.',
    ['platform', 'outcome'],
  ),
  sourceHeld: gauge('earshot_source_held', '1 while this process is the one that collects from the platform.', [
    'platform',
  ]),
  sourceLagSeconds: gauge(
    'earshot_source_lag_seconds',
    'How long ago the newest post was published that this process has read of the platform. On a quiet platform ' +
      'it grows with the age of that post.',
    ['platform'],
  ),
}

export type CollectMetrics = MetricsOf<typeof COLLECT_METRICS>
