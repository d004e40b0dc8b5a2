import type { Browser } from 'playwright-core'
import { inject, test as vitestTest } from 'vitest'
import { askForValue } from '../on-demand.ts'
import { type Chromium, launchChromium } from './launch.ts'

// Known before a file is collected, because it decides which tests there are.
const chromium = await askForValue<Chromium | null>(inject('chromium'))

/** A test in a browser; skipped where no Chromium starts. */
export const test = chromium === null ? vitestTest.skip : vitestTest

/** A browser of a file of tests. */
export function openBrowser(): Promise<Browser> {
  if (chromium === null) throw new Error('no Chromium starts here; use the test of chromium.ts, which is then skipped')
  return launchChromium(chromium)
}
