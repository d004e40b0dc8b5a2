import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** For a unit of work: 0.1 ms to a minute. */
export const WORK_SECONDS = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
]
/** For the age of something in flight: 5 ms to six hours. */
export const AGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600]

export interface MetricDeclaration<
  Kind extends 'counter' | 'gauge' | 'histogram' = 'counter' | 'gauge' | 'histogram',
  Label extends string = string,
> {
  kind: Kind
  name: string
  help: string
  labelNames: readonly Label[]
  /** Upper bounds of a histogram. */
  buckets?: readonly number[]
}

/** By the name in the code. */
export type MetricTable = Readonly<Record<string, MetricDeclaration>>

type MetricOf<Declared> =
  Declared extends MetricDeclaration<'counter', infer Label>
    ? Counter<Label>
    : Declared extends MetricDeclaration<'gauge', infer Label>
      ? Gauge<Label>
      : Declared extends MetricDeclaration<'histogram', infer Label>
        ? Histogram<Label>
        : never

export type MetricsOf<Table extends MetricTable> = { readonly [Name in keyof Table]: MetricOf<Table[Name]> }

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

export interface MetricSet {
  registry: Registry
  /** For the documentation. */
  declared: readonly MetricDeclaration[]
}

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

/** Memory, processor time and event loop delay. Once a process. */
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

export function watchQueue(metrics: QueueMetrics, queue: string, limit: number, length: () => number): void {
  metrics.queueLimit.set({ queue }, limit)
  onRead(metrics, () => metrics.queueLength.set({ queue }, length()))
}

const reads = new WeakMap<object, (() => void)[]>()

/** Calls `refresh` before each read, for values that are looked up. */
export function onRead(metrics: object, refresh: () => void): void {
  reads.set(metrics, [...(reads.get(metrics) ?? []), refresh])
}

export async function renderMetrics(metrics: MetricSet): Promise<string> {
  for (const refresh of reads.get(metrics) ?? []) refresh()
  return await metrics.registry.metrics()
}

export function renderMetricTable(declared: readonly MetricDeclaration[]): string {
  const rows = declared.map(({ name, kind, labelNames, help }) => {
    const labels = labelNames.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${kind} | ${labels} | ${help} |`
  })
  return ['| Name | Kind | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
