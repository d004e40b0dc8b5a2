import { expect, test } from 'vitest'
import type { Log } from '../kernel/log.ts'
import { askAtOnce, ENRICHMENTS_AT_ONCE } from './at-once.ts'
import { createMeter } from './bare-context.suite.ts'
import { type CollectContext, SourceFault } from './contract.ts'

const fault = new SourceFault('unavailable', 'down')
const turn = () => new Promise((resolve) => setImmediate(resolve))
const range = (count: number) => Array.from({ length: count }, (_, at) => at)

function world(signal = new AbortController().signal) {
  const lines: unknown[] = []
  const log = { warn: (fields: unknown) => lines.push(fields) } as unknown as Log
  return { lines, context: { log, signal } as CollectContext }
}

test('several are under way together, never more than the bound, and each is asked for once', async () => {
  const asked: number[] = []
  const meter = createMeter()
  await askAtOnce(world().context, range(11), async (value) => {
    asked.push(value)
    await meter.pass()
  })
  expect([asked, meter.most]).toEqual([range(11), ENRICHMENTS_AT_ONCE])
  await askAtOnce(world().context, [], () => Promise.reject(fault))
})

test('a fault after something was answered ends the asking and is logged; one before everything else is thrown', async () => {
  const { context, lines } = world()
  const asked: number[] = []
  await askAtOnce(context, range(20), async (value) => {
    asked.push(value)
    await turn()
    if (value === 5) throw fault
  })
  expect(asked.length).toBeLessThan(10)
  expect(lines).toEqual([expect.objectContaining({ err: fault, fault: 'unavailable' })])
  await expect(askAtOnce(world().context, range(3), () => Promise.reject(fault))).rejects.toBe(fault)
})

test('after an abort nothing more is begun, and what was answered counts', async () => {
  const abort = new AbortController()
  const asked: number[] = []
  await askAtOnce(world(abort.signal).context, range(20), async (value) => {
    asked.push(value)
    if (value === 3) abort.abort(new Error('over'))
    abort.signal.throwIfAborted()
  })
  expect(asked).toEqual([0, 1, 2, 3])
  await askAtOnce(world(AbortSignal.abort()).context, range(3), () => Promise.reject(new Error('never')))
})

test('what is no fault of the platform is never hidden', async () => {
  const mistake = new TypeError('a mistake')
  await expect(
    askAtOnce(world().context, range(3), (value) => (value === 2 ? Promise.reject(mistake) : Promise.resolve())),
  ).rejects.toBe(mistake)
})
