import type { Page } from 'playwright-core'
import { missedFocus, watchFocus } from './in-page.ts'

/** How long a page may take to show what a key or a press brings about, on a busy machine. */
export const SHOW_MS = 15_000

/** Presses keys one after the other, apart by spaces: `g i`, `Control+k`. */
export async function pressKeys(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/** Waits until the page shows the text. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor({ timeout: SHOW_MS })
}

/** Waits until the page shows the text no more. */
export async function seeNoText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor({ state: 'hidden', timeout: SHOW_MS })
}

/** Waits until the address has this path, which may include a query. */
export async function seeAddress(page: Page, path: string): Promise<void> {
  await page.waitForURL(({ pathname, search }) => path === pathname || path === pathname + search, {
    timeout: SHOW_MS,
    waitUntil: 'commit',
  })
}

/** Presses the button or link with this name. */
export async function pressNamed(
  page: Page,
  role: 'button' | 'link' | 'menuitem' | 'tab',
  name: string,
): Promise<void> {
  await page.getByRole(role, { name, exact: true }).first().click({ timeout: SHOW_MS })
}

/** Presses Tab until every control had its turn. */
export async function controlsMissedByTab(page: Page): Promise<{ unreached: string[]; ringless: string[] }> {
  const count = await page.evaluate(watchFocus)
  for (let pressed = 0; pressed <= count; pressed += 1) await page.keyboard.press('Tab')
  return page.evaluate(missedFocus)
}
