import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds from a tenth of a millisecond to a minute: what a stage needs for a unit of work. */
export const WORK_SECONDS = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
/** Seconds from a few milliseconds to six hours: how long something has been on its way. */
export const AGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600]

/** A metric as the room that counts it declares it. */
export interface MetricDeclaration<
  Kind extends 'counter' | 'gauge' | 'histogram' = 'counter' | 'gauge' | 'histogram',
  Label extends string = string,
> {
  kind: Kind
  name: string
  help: string
  labelNames: readonly Label[]
  /** Upper limits of what a histogram counts together. */
  buckets?: readonly number[]
}

/** Metrics by the name under which the code counts. */
export type MetricTable = Readonly<Record<string, MetricDeclaration>>

type MetricOf<Declared> =
  Declared extends MetricDeclaration<'counter', infer Label>
    ? Counter<Label>
    : Declared extends MetricDeclaration<'gauge', infer Label>
      ? Gauge<Label>
      : Declared extends MetricDeclaration<'histogram', infer Label>
        ? Histogram<Label>
        : never

/** What a table becomes when it is registered. */
export type MetricsOf<Table extends MetricTable> = { readonly [Name in keyof Table]: MetricOf<Table[Name]> }

/** The names of all labels in a table. */
export type LabelOf<Table extends MetricTable> = Table[keyof Table]['labelNames'][number]

export function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): MetricDeclaration<'counter', Label> {
  return { kind: 'counter', name, help, labelNames }
}

export function gauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): MetricDeclaration<'gauge', Label> {
  return { kind: 'gauge', name, help, labelNames }
}

export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: readonly number[],
): MetricDeclaration<'histogram', Label> {
  return { kind: 'histogram', name, help, labelNames, buckets }
}

/** Metrics that are read together. */
export interface MetricSet {
  registry: Registry
  /** Every metric of the set, for the documentation. */
  declared: readonly MetricDeclaration[]
}

/** Makes the metrics of a table, apart from those of every other set. */
export function registerMetrics<Table extends MetricTable>(table: Table): MetricsOf<Table> & MetricSet {
  const registry = new Registry()
  const metrics = Object.entries(table).map(([name, declared]) => [name, metricOf(declared, registry)])
  return { ...(Object.fromEntries(metrics) as MetricsOf<Table>), registry, declared: Object.values(table) }
}

function metricOf({ kind, buckets = [], ...shown }: MetricDeclaration, registry: Registry) {
  const options = { ...shown, registers: [registry] }
  if (kind === 'counter') return new Counter(options)
  if (kind === 'gauge') return new Gauge(options)
  return new Histogram({ ...options, buckets: [...buckets] })
}

/** What the runtime itself says: memory, processor time, the delay of the event loop. Once a process. */
export function collectRuntime({ registry }: MetricSet): void {
  collectDefaultMetrics({ register: registry })
}

export const QUEUE_METRICS = {
  queueLength: gauge('earshot_queue_length', 'What waits in a queue of this process.', ['queue']),
  queueLimit: gauge(
    'earshot_queue_limit',
    'How much a queue of this process holds before what fills it has to pause. Nothing pauses for ' +
      '`keyword_changes`: beyond its limit all keywords are read again.',
    ['queue'],
  ),
}

export type QueueMetrics = MetricsOf<typeof QUEUE_METRICS>

/** Reports how long a bounded queue is whenever somebody reads the metrics. */
export function watchQueue(metrics: QueueMetrics, queue: string, limit: number, length: () => number): void {
  metrics.queueLimit.set({ queue }, limit)
  onRead(metrics, () => metrics.queueLength.set({ queue }, length()))
}

const reads = new WeakMap<object, (() => void)[]>()

/** Calls `refresh` before the metrics are read: for figures that are looked up rather than counted. */
export function onRead(metrics: object, refresh: () => void): void {
  reads.set(metrics, [...(reads.get(metrics) ?? []), refresh])
}

/** The metrics as Prometheus reads them. */
export async function renderMetrics(metrics: MetricSet): Promise<string> {
  for (const refresh of reads.get(metrics) ?? []) refresh()
  return await metrics.registry.metrics()
}

/** The declarations as a table for the documentation, in Markdown. */
export function renderMetricTable(declared: readonly MetricDeclaration[]): string {
  const rows = declared.map(({ name, kind, labelNames, help }) => {
    const labels = labelNames.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${kind} | ${labels} | ${help} |`
  })
  return ['| Name | Kind | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
