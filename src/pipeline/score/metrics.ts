import { counter, histogram, type MetricsOf, type QueueMetrics, WORK_SECONDS } from '../../kernel/metrics.ts'

export const SCORE_METRICS = {
  mentionsScored: counter('earshot_mentions_scored_total', 'Mentions whose scoring ended: scored or failed.', [
    'outcome',
  ]),
  classifySeconds: histogram('earshot_classify_seconds', 'One call of the classifier for a batch.', [], WORK_SECONDS),
  scoreSeconds: histogram('earshot_score_seconds', 'Scoring and recording one batch of mentions.', [], WORK_SECONDS),
}

export type ScoreMetrics = MetricsOf<typeof SCORE_METRICS> & QueueMetrics
