import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { collectRuntime, onRead, renderMetrics, watchQueue } from '../kernel/metrics.ts'
import { createMetrics, LABELS, renderMetricTables } from './metrics.ts'

const GUIDE = readFileSync(new URL('../../docs/guides/monitor.md', import.meta.url), 'utf8')

describe('metrics', () => {
  test('are all declared once, named and explained as Prometheus wants it', () => {
    const { declared, registry } = createMetrics()
    expect(declared.map(({ name }) => name)).toEqual(registry.getMetricsAsArray().map(({ name }) => name))
    for (const { name, kind, help } of declared) {
      expect(name).toMatch(/^earshot_[a-z]+(_[a-z]+)*$/)
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter'])
      expect(help).toMatch(/^[A-Z0-9].*\.$/)
    }
  })

  test('are all documented, with every label', () => {
    const metrics = createMetrics()
    const rows = renderMetricTables(metrics).split('\n')
    for (const { name, kind, labelNames, help } of metrics.declared) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` |`))
      expect(row?.split(' | ').slice(1)).toEqual([
        kind,
        labelNames.map((label) => `\`${label}\``).join(', '),
        `${help} |`,
      ])
    }
    const used = new Set(metrics.declared.flatMap(({ labelNames }) => labelNames))
    expect([...used].sort()).toEqual(Object.keys(LABELS).sort())
    for (const label of used) expect(rows.some((line) => line.startsWith(`| \`${label}\` |`))).toBe(true)
  })

  test('of which the guide for operators speaks are there', async () => {
    const metrics = createMetrics()
    collectRuntime(metrics)
    const named = new Set(GUIDE.match(/\b(?:earshot|nodejs|process)_[a-z][a-z0-9_]+/g))
    expect(named.size).toBeGreaterThan(5)
    const known = metrics.registry.getMetricsAsArray().map(({ name }) => name)
    for (const name of named) expect(known).toContain(name)
    const labels = [...GUIDE.matchAll(/(\w+)="[^"]*"/g)].map(([, label]) => label)
    for (const label of labels) expect(Object.keys(LABELS)).toContain(label)
  })

  test('of two services do not mix', async () => {
    const [first, second] = [createMetrics(), createMetrics()]
    first.postsRead.inc({ platform: 'bluesky' }, 2)
    expect(await renderMetrics(first)).toContain('earshot_posts_read_total{platform="bluesky"} 2\n')
    expect(await renderMetrics(second)).not.toContain('bluesky')
  })
})

describe('figures that are looked up', () => {
  test('are those of the moment in which they are read', async () => {
    const metrics = createMetrics()
    let length = 3
    watchQueue(metrics, 'score', 10, () => length)
    onRead(metrics, () => metrics.indexBytes.set(length * 100))
    expect(await renderMetrics(metrics)).toMatch(/^earshot_queue_length\{queue="score"\} 3$/m)
    length = 4
    const text = await renderMetrics(metrics)
    for (const line of [
      'earshot_queue_length{queue="score"} 4',
      'earshot_queue_limit{queue="score"} 10',
      'earshot_index_bytes 400',
    ])
      expect(text.split('\n')).toContain(line)
  })
})
