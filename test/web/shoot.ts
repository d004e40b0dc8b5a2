import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Writes a picture of the window to the folder of EARSHOT_SHOTS; does nothing without that setting. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['EARSHOT_SHOTS']
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
