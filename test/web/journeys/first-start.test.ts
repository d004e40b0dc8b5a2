import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { signUp } from './signed-up.ts'

const { newWindow } = useInstallation()

test('the first person makes an account and reaches the dashboard', async () => {
  const { page, open } = await newWindow()
  await open('/')
  await signUp(page)
  await page.locator('#app').waitFor({ state: 'attached' })
})
