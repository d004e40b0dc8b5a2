import { test } from '../chromium.ts'
import { useInstallation } from '../installation.ts'
import { pressNamed, seeAddress } from '../keys.ts'

const { newWindow } = useInstallation()

test('the first person makes an account and reaches the dashboard', async () => {
  const { page, open } = await newWindow()
  await open('/')
  await seeAddress(page, '/sign-up')
  await page.getByLabel('Your name').fill('Frida First')
  await page.getByLabel('E-mail address').fill('frida@people.example')
  await page.getByLabel('Password').fill('a kettle, two cups')
  await page.getByLabel('Name of your workspace').fill('Northlight')
  await pressNamed(page, 'button', 'Create the account')
  await seeAddress(page, '/inbox')
  await page.locator('#app').waitFor({ state: 'attached' })
})
