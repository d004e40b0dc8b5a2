import { expect, test } from 'vitest'
import {
  counter,
  gauge,
  histogram,
  onRead,
  QUEUE_METRICS,
  registerMetrics,
  renderMetrics,
  renderMetricTable,
  watchQueue,
} from './metrics.ts'

const DOORS = {
  opened: counter('doors_opened_total', 'Doors that were opened.', ['side']),
  open: gauge('doors_open', 'Doors that are open.', []),
  seconds: histogram('doors_seconds', 'How long doors were open.', [], [1, 5]),
}

test('a table becomes metrics of the declared kinds, which are read in the order of the table', async () => {
  const metrics = registerMetrics(DOORS)
  metrics.opened.inc({ side: 'left' }, 2)
  metrics.open.set(3)
  metrics.seconds.observe(4)
  const lines = (await renderMetrics(metrics)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines).toEqual([
    'doors_opened_total{side="left"} 2',
    'doors_open 3',
    'doors_seconds_bucket{le="1"} 0',
    'doors_seconds_bucket{le="5"} 1',
    'doors_seconds_bucket{le="+Inf"} 1',
    'doors_seconds_sum 4',
    'doors_seconds_count 1',
  ])
  expect(await renderMetrics(registerMetrics(DOORS))).not.toContain('left')
})

test('what is looked up is that of the moment in which it is read', async () => {
  const metrics = registerMetrics({ ...DOORS, ...QUEUE_METRICS })
  let length = 3
  watchQueue(metrics, 'door', 10, () => length)
  onRead(metrics, () => metrics.open.set(length * 2))
  expect(await renderMetrics(metrics)).toMatch(/^doors_open 6$/m)
  length = 4
  const text = await renderMetrics(metrics)
  expect(text).toMatch(/^earshot_queue_length\{queue="door"\} 4$/m)
  expect(text).toMatch(/^earshot_queue_limit\{queue="door"\} 10$/m)
  expect(text).toMatch(/^doors_open 8$/m)
})

test('declarations are shown as a table', () => {
  expect(renderMetricTable(registerMetrics(DOORS).declared).split('\n').slice(2)).toEqual([
    '| `doors_opened_total` | counter | `side` | Doors that were opened. |',
    '| `doors_open` | gauge |  | Doors that are open. |',
    '| `doors_seconds` | histogram |  | How long doors were open. |',
  ])
})
