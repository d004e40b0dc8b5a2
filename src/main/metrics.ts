import { SECOND_VERDICT_METRICS } from '../classify/language-model/metrics.ts'
import { LIMIT_METRICS } from '../commands/limits/metrics.ts'
import { JOB_METRICS } from '../jobs/metrics.ts'
import {
  type LabelOf,
  type MetricSet,
  type MetricsOf,
  QUEUE_METRICS,
  registerMetrics,
  renderMetricTable,
} from '../kernel/metrics.ts'
import { COLLECT_METRICS } from '../pipeline/collect/metrics.ts'
import { DELIVER_METRICS } from '../pipeline/deliver/metrics.ts'
import { SCORE_METRICS } from '../pipeline/score/metrics.ts'
import { STORE_STAGE_METRICS } from '../pipeline/store/metrics.ts'
import { WATCH_METRICS } from '../pipeline/watch/metrics.ts'
import { CONNECTION_METRICS } from '../store/metrics.ts'
import { DOOR_METRICS } from '../surfaces/door/metrics.ts'
import { MAIL_REPORT_METRICS } from '../surfaces/inbound/metrics.ts'
import { REQUEST_METRICS } from '../surfaces/rest/request-metrics.ts'
import { BACKUP_METRICS } from './backup-metrics.ts'
import { DISK_METRICS } from './disk-metrics.ts'
import { MAIL_METRICS } from './mail-metrics.ts'

/** In the order of /metrics. */
const METRICS = {
  ...COLLECT_METRICS,
  ...WATCH_METRICS,
  ...STORE_STAGE_METRICS,
  ...SCORE_METRICS,
  ...SECOND_VERDICT_METRICS,
  ...DELIVER_METRICS,
  ...MAIL_METRICS,
  ...MAIL_REPORT_METRICS,
  ...BACKUP_METRICS,
  ...DISK_METRICS,
  ...QUEUE_METRICS,
  ...JOB_METRICS,
  ...REQUEST_METRICS,
  ...LIMIT_METRICS,
  ...CONNECTION_METRICS,
  ...DOOR_METRICS,
}

/**
 * Meaning of the labels. Each has a fixed short list of our own values, which bounds the series. A missing label does
 * not compile.
 */
export const LABELS = {
  platform: 'a platform that posts come from',
  fault: 'why collecting failed, such as throttled or unavailable',
  outcome: 'what became of it, such as `done`, `delivered`, `retry` or `failed`',
  channel: 'kind of channel, such as webhook',
  queue: 'a queue of this process, such as `score`, `deliver` or `store_bluesky_posts`',
  job: 'name of a recurring job',
  operation: 'id of an operation, or `page`, `metrics`, `preflight`, or `unknown` for everything that has no route',
  status: 'status code of the answer, or `none` when the caller was gone before it',
  provider: '`ses`, `mailgun`, `postmark`, `sendgrid`, or `other` for an adapter',
  reason: '`bounce` or `complaint`',
  state: '`busy`, `idle` or `waiting`',
  counting: '`exact` for limits that are counted in the database, `exchanged` for those that processes tell each other',
  direction: '`read` or `written`',
  cell: 'name of a cell in CELLS, or `door` for the door itself',
  finding: '`remembered`, `found`, `nowhere`, or `unsure` while a cell does not answer',
} satisfies Record<LabelOf<typeof METRICS>, string>

export type Metrics = MetricsOf<typeof METRICS> & MetricSet

export function createMetrics(): Metrics {
  return registerMetrics(METRICS)
}

/** For the documentation. */
export function renderMetricTables({ declared }: Metrics): string {
  return [
    renderMetricTable(declared),
    '',
    '| Label | Tells apart |',
    '| --- | --- |',
    ...Object.entries(LABELS).map(([label, meaning]) => `| \`${label}\` | ${meaning} |`),
  ].join('\n')
}
