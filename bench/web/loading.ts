import type { BenchRow } from '../contract.ts'
import { median } from '../quantiles.ts'
import { readVitals, type Vitals } from './in-page.ts'
import { openInbox, type Stage } from './stage.ts'

/** How long a page is watched after it can be used. */
const SETTLE_MS = 2000

/** A cheap phone in a slow network: what Lighthouse takes for one. */
const SLOW_PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SLOWER_PROCESSOR = 4
const SLOW_NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

/** How the inbox of a large workspace comes up, with an empty cache each time. */
export async function loadingRows(stage: Stage, times: number): Promise<BenchRow[]> {
  const desktop = await repeat(times, () => load(stage, false))
  const phone = await repeat(times, () => load(stage, true))
  const requests = Math.max(...desktop.map((loading) => loading.requests))
  const lower = { better: 'lower' } as const
  return [
    { measure: 'requests until the inbox can be used', value: requests, unit: 'requests', must: 9, goal: 7, ...lower },
    { measure: 'largest paint, desktop', value: seconds(desktop), unit: 's', must: 1, goal: 0.6, ...lower },
    { measure: 'largest paint, slow phone', value: seconds(phone), unit: 's', must: 2.5, goal: 1.8, ...lower },
    {
      measure: 'shift of the layout',
      value: Math.max(...[...desktop, ...phone].map(({ shift }) => shift)),
      unit: '',
      must: 0.02,
      goal: 0,
      ...lower,
    },
    {
      measure: 'blocked time, slow phone',
      value: median(phone.map(({ blocked }) => blocked)),
      unit: 'ms',
      must: 200,
      goal: 100,
      ...lower,
    },
  ]
}

const seconds = (loadings: readonly Vitals[]) => median(loadings.map(({ largestPaint }) => largestPaint)) / 1000

async function load(stage: Stage, isSlowPhone: boolean): Promise<Vitals> {
  const page = await stage.newPage(isSlowPhone ? SLOW_PHONE : {})
  try {
    if (isSlowPhone) {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', SLOW_NETWORK)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_PROCESSOR })
    }
    await openInbox(page)
    await page.waitForTimeout(SETTLE_MS)
    return await page.evaluate(readVitals)
  } finally {
    await page.context().close()
  }
}

async function repeat<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let time = 0; time < times; time += 1) results.push(await run())
  return results
}
