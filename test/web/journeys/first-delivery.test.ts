import type { Page } from 'playwright-core'
import { systemClock } from '../../../src/kernel/clock.ts'
import { until } from '../../until.ts'
import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressKeys, pressNamed, seeText } from '../keys.ts'
import { shoot } from '../shoot.ts'
import { signUp } from './signed-up.ts'

const { installation, newWindow } = useInstallation()

/** The title of the step that has the focus. */
async function seeFocus(page: Page, title: string): Promise<void> {
  await page.locator('h2:focus', { hasText: title }).waitFor()
}

test('from the first term to the first signed delivery, in one window', async () => {
  const { page, open } = await newWindow()
  const beganAt = systemClock.now().getTime()
  await open('/')
  await signUp(page)
  await open('/start')

  await page.getByLabel('Term').fill('Northlight')
  await pressKeys(page, 'Enter')
  await seeText(page, /Nobody wrote “Northlight”|No platform could be searched|posts? found/)
  await shoot(page, 'journey-1-search')
  await pressNamed(page, 'button', 'Watch “Northlight”')
  await seeFocus(page, 'First mention')
  await until(() => installation.jetstream.listeners > 0)
  installation.jetstream.post('Which kettle is better, the Northlight or the Southwind? My Northlight leaks.')
  await seeText(page, /A mention of “Northlight” arrived/)
  await shoot(page, 'journey-2-mention')
  await seeFocus(page, 'Where should mentions go?')

  await pressNamed(page, 'button', 'Receive in this browser')
  await seeFocus(page, 'Send a test')
  await pressNamed(page, 'button', 'Send a test')
  await seeText(page, 'Signature valid')
  await seeFocus(page, 'Send me everything relevant')
  await pressNamed(page, 'button', 'Send everything relevant')
  await seeFocus(page, 'Delivered')
  await shoot(page, 'journey-3-rule')

  installation.jetstream.post('My new Northlight kettle is great, I love how quiet the Northlight is.')
  await seeText(page, 'A mention was delivered to This browser.')
  await seeText(page, /first mention after \d+ s, first delivery after \d+ s/)
  await seeText(page, 'Signature valid')
  await shoot(page, 'journey-4-delivered')
  const seconds = Math.round((systemClock.now().getTime() - beganAt) / 1000)
  process.stdout.write(`From the first start to the first delivery: ${seconds} s in the browser.\n`)

  await open('/start')
  await seeText(page, 'A mention was delivered to This browser.')
  await shoot(page, 'journey-5-again')
})
