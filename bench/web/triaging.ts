import type { Page } from 'playwright-core'
import type { BenchRow } from '../contract.ts'
import { quantile } from '../quantiles.ts'
import { nextFrame, takeFrameTimes, takeKeyTimes, watchFrames } from './in-page.ts'
import { countRequests, openInbox, type Stage } from './stage.ts'

/** Rows that a tab holds at most. */
const HELD = 5000
const KEYS_EACH = 100
/** The browser reports no key that took less. */
const LEAST_KEY_MS = 16
const SLOW_FRAME_MS = 33
const WHEEL_STEPS = 250
const WHEEL_PX = 2000
const PACE_MS = 1500
const SETTLE_MS = 5000

const lower = { better: 'lower' } as const

/** Keys, scrolling and memory with as many rows as a tab holds. */
export async function longListRows(stage: Stage): Promise<BenchRow[]> {
  const page = await stage.newPage()
  try {
    await openInbox(page)
    await loadAllRows(page)
    const slowShare = await slowFramesOfScroll(page)
    const [moves, done] = [await timeKeys(page, 'j'), await timeKeys(page, 'e')]
    return [
      {
        measure: 'key j to painted row, 5,000 rows, p95',
        value: quantile(moves, 0.95),
        unit: 'ms',
        must: 50,
        goal: 32,
        ...lower,
      },
      {
        measure: 'key e to painted row, 5,000 rows, p95',
        value: quantile(done, 0.95),
        unit: 'ms',
        must: 50,
        goal: 32,
        ...lower,
      },
      {
        measure: 'frames over 33 ms while 5,000 rows scroll',
        value: 100 * slowShare,
        unit: '%',
        must: 3,
        goal: 1,
        ...lower,
      },
      {
        measure: `heap after 5,000 rows and ${2 * KEYS_EACH} actions`,
        value: (await heapBytes(page)) / 2 ** 20,
        unit: 'MB',
        must: 80,
        goal: 50,
        ...lower,
      },
    ]
  } finally {
    await page.context().close()
  }
}

async function loadAllRows(page: Page): Promise<void> {
  const grid = page.getByRole('grid')
  let loaded = 0
  while (loaded < HELD) {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/mentions')
    await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const answer = await answered
    if (!answer.ok()) throw new Error(`a page of mentions was answered with ${answer.status()}`)
    loaded += ((await answer.json()) as { data: unknown[] }).data.length
  }
  await grid.evaluate((element) => element.scrollTo(0, 0))
}

async function slowFramesOfScroll(page: Page): Promise<number> {
  const box = (await page.getByRole('grid').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.evaluate(watchFrames)
  for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, WHEEL_PX)
  const times = await page.evaluate(takeFrameTimes)
  await page.getByRole('grid').evaluate((element) => element.scrollTo(0, 0))
  return times.filter((time) => time > SLOW_FRAME_MS).length / times.length
}

async function timeKeys(page: Page, key: string): Promise<number[]> {
  await page.evaluate(takeKeyTimes)
  for (let pressed = 0; pressed < KEYS_EACH; pressed += 1) {
    await page.keyboard.press(key)
    await page.evaluate(nextFrame)
  }
  const slower = await page.evaluate(takeKeyTimes)
  return [...slower, ...Array.from({ length: Math.max(0, KEYS_EACH - slower.length) }, () => LEAST_KEY_MS)]
}

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** Requests of a tab whose person triages forty mentions a minute, and of one that stays idle. */
export async function requestRows(stage: Stage, seconds: number): Promise<BenchRow[]> {
  const page = await stage.newPage()
  try {
    await openInbox(page)
    await page.waitForTimeout(SETTLE_MS)
    const perMinute = 60 / seconds
    const idle = countRequests(page)
    await page.waitForTimeout(seconds * 1000)
    const quiet = idle.addresses.length * perMinute
    const triaging = countRequests(page)
    for (let passedMs = 0; passedMs < seconds * 1000; passedMs += PACE_MS) {
      await page.keyboard.press('e')
      await page.waitForTimeout(PACE_MS)
    }
    const busy = triaging.addresses.length * perMinute
    return [
      {
        measure: 'requests while triaging 40 mentions a minute',
        value: busy,
        unit: '/min',
        must: 25,
        goal: 12,
        ...lower,
      },
      { measure: 'requests of an idle tab', value: quiet, unit: '/min', must: 2, goal: 1, ...lower },
    ]
  } finally {
    await page.context().close()
  }
}
