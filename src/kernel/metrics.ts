import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds from a tenth of a millisecond to a minute: what a stage needs for a unit of work. */
const WORK_SECONDS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
/** Seconds from a few milliseconds to six hours: how long something has been on its way. */
const AGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600]
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/** What the labels tell apart. Each has a fixed and short list of values, so the number of series is bounded. */
export const LABELS = {
  platform: 'a platform that posts come from',
  fault: 'why collecting failed, such as throttled or unavailable',
  outcome: 'what became of it, such as `done`, `delivered`, `retry` or `failed`',
  channel: 'kind of channel, such as webhook',
  queue: 'a queue of this process, such as `score`, `deliver` or `store_bluesky_posts`',
  job: 'name of a recurring job',
  operation: 'id of an operation, or `page`, `metrics`, `preflight`, or `unknown` for everything that has no route',
  status: 'status code of the answer, or `none` when the caller was gone before it',
  state: '`busy`, `idle` or `waiting`',
  direction: '`read` or `written`',
} as const satisfies Record<string, string>

export type LabelName = keyof typeof LABELS

/** One metric as the documentation lists it. */
export interface MetricDeclaration {
  kind: 'counter' | 'gauge' | 'histogram'
  name: string
  help: string
  labelNames: readonly LabelName[]
}

/**
 * Everything that one process counts and times, under the names that Prometheus reads. No label takes a value from
 * outside the service's own lists: see `LABELS`.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const declared: MetricDeclaration[] = []
  const declare = <Label extends LabelName>(
    kind: MetricDeclaration['kind'],
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => {
    declared.push({ kind, name, help, labelNames })
    return { name, help, labelNames, registers }
  }
  const counter = <Label extends LabelName>(name: string, help: string, labels: readonly Label[]) =>
    new Counter<Label>(declare('counter', name, help, labels))
  const gauge = <Label extends LabelName>(name: string, help: string, labels: readonly Label[]) =>
    new Gauge<Label>(declare('gauge', name, help, labels))
  const histogram = <Label extends LabelName>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: number[],
  ) => new Histogram<Label>({ ...declare('histogram', name, help, labels), buckets })
  return {
    registry,
    /** Every metric below, for the documentation. */
    declared: declared as readonly MetricDeclaration[],

    postsRead: counter('earshot_posts_read_total', 'Posts that a platform handed over.', ['platform']),
    postsMatched: counter('earshot_posts_matched_total', 'Posts that at least one keyword wanted.', ['platform']),
    sourceFaults: counter(
      'earshot_source_faults_total',
      'Times that collecting from a platform failed, by kind of fault.',
      ['platform', 'fault'],
    ),
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

    keywordsWatched: gauge('earshot_keywords_watched', 'Keywords that this process looks for.', []),
    indexBytes: gauge('earshot_index_bytes', 'Memory of the matching index.', []),
    keywordChanges: counter('earshot_keyword_changes_total', 'Changed keywords that this process took over.', []),
    keywordChangeSeconds: histogram(
      'earshot_keyword_change_seconds',
      'From the notification of a keyword change until it counts.',
      [],
      WORK_SECONDS,
    ),

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

    mentionsScored: counter('earshot_mentions_scored_total', 'Mentions whose scoring ended: scored or failed.', [
      'outcome',
    ]),
    classifySeconds: histogram('earshot_classify_seconds', 'One call of the classifier for a batch.', [], WORK_SECONDS),
    scoreSeconds: histogram('earshot_score_seconds', 'Scoring and recording one batch of mentions.', [], WORK_SECONDS),

    secondLooks: counter(
      'earshot_second_looks_total',
      'Mentions that deserved the language model, by what came of it: answered, cached, or why the first verdict ' +
        'stayed: no_answer, budget, busy.',
      ['outcome'],
    ),
    modelCalls: counter(
      'earshot_model_calls_total',
      'Calls to the language model for scores: answered, incomplete, useless, timeout, rate_limited, unavailable ' +
        'or refused.',
      ['outcome'],
    ),
    modelTokens: counter('earshot_model_tokens_total', 'Tokens of those calls, as far as the provider says.', [
      'direction',
    ]),
    modelDollars: counter(
      'earshot_model_cost_dollars_total',
      'Dollars that those calls cost, by the prices in the settings.',
      [],
    ),

    deliveries: counter(
      'earshot_deliveries_total',
      'Attempts to deliver, by kind of channel and what became of them.',
      ['channel', 'outcome'],
    ),
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

    mails: counter(
      'earshot_mails_total',
      'Attempts to send a mail, by what they led to: sent, retry, given_up, or unopened for one sealed with ' +
        'another key.',
      ['outcome'],
    ),
    mailsWaiting: gauge(
      'earshot_mails_waiting',
      'Mails that no mail server has taken yet, of all processes together. Processes that work look every half minute.',
      [],
    ),

    queueLength: gauge('earshot_queue_length', 'What waits in a queue of this process.', ['queue']),
    queueLimit: gauge(
      'earshot_queue_limit',
      'How much a queue of this process holds before what fills it has to pause. Nothing pauses for ' +
        '`keyword_changes`: beyond its limit all keywords are read again.',
      ['queue'],
    ),

    jobs: counter('earshot_jobs_total', 'Runs of recurring jobs: done or failed.', ['job', 'outcome']),
    jobSeconds: histogram('earshot_job_seconds', 'One run of a recurring job.', ['job'], WORK_SECONDS),

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

    databaseConnections: gauge(
      'earshot_database_connections',
      'Connections of the pool: busy, idle, or wanted and not there yet.',
      ['state'],
    ),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

/** What the runtime itself says: memory, processor time, the delay of the event loop. Once a process. */
export function collectRuntime({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry })
}

/** Reports how long a bounded queue is whenever somebody reads the metrics. */
export function watchQueue(metrics: Metrics, queue: string, limit: number, length: () => number): void {
  metrics.queueLimit.set({ queue }, limit)
  onRead(metrics, () => metrics.queueLength.set({ queue }, length()))
}

const reads = new WeakMap<Metrics, (() => void)[]>()

/** Calls `refresh` before the metrics are read: for figures that are looked up rather than counted. */
export function onRead(metrics: Metrics, refresh: () => void): void {
  reads.set(metrics, [...(reads.get(metrics) ?? []), refresh])
}

/** The metrics as Prometheus reads them. */
export async function renderMetrics(metrics: Metrics): Promise<string> {
  for (const refresh of reads.get(metrics) ?? []) refresh()
  return await metrics.registry.metrics()
}

/** The metrics as tables for the documentation. */
export function renderMetricTables({ declared }: Metrics): string {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const names = (labels: readonly string[]) => labels.map((label) => `\`${label}\``).join(', ')
  return [
    row('Name', 'Kind', 'Labels', 'Meaning'),
    row('---', '---', '---', '---'),
    ...declared.map(({ name, kind, labelNames, help }) => row(`\`${name}\``, kind, names(labelNames), help)),
    '',
    row('Label', 'Tells apart'),
    row('---', '---'),
    ...Object.entries(LABELS).map(([label, meaning]) => row(`\`${label}\``, meaning)),
  ].join('\n')
}
