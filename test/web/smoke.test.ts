import { expect } from 'vitest'
import { createPerson } from '../people.ts'
import { useWorkspace } from '../use-world.ts'
import { axeViolations } from './axe.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { misbehave, sidewaysScroll } from './in-page.ts'
import { controlsMissedByTab, SHOW_MS, seeAddress } from './keys.ts'

const dashboard = useDashboard()
const acme = useWorkspace(dashboard.world, 'Acme')

test('a signed-out person is led to the sign-in page', async () => {
  const { page, open } = await dashboard.newWindow()
  await open('/inbox?status=open')
  await seeAddress(page, `/sign-in?next=${encodeURIComponent('/inbox?status=open')}`)
})

test('a signed-in person gets the dashboard', async () => {
  const person = await createPerson(acme, acme.workspaceId, 'owner')
  const { page, open } = await dashboard.newWindow({ person })
  await open('/inbox')
  await page.locator('#app').waitFor({ state: 'attached' })
  expect(new URL(page.url()).pathname).toBe('/inbox')
})

test('windows observe everything that a person must never meet', async () => {
  const person = await createPerson(acme, acme.workspaceId, 'owner')
  const { page, observed, open } = await dashboard.newWindow({ person, expected: [/./] })
  await page.route('**/v1/health', (route) => route.fulfill({ status: 503 }))
  await open('/inbox')
  expect(observed).toEqual([])
  const missing = (kinds: readonly RegExp[]) => kinds.filter((kind) => !observed.some((line) => kind.test(line)))
  await page.evaluate(misbehave)
  const ofPage = [
    /^console log: a line/,
    /^page error: Error: an error of the page/,
    /securitypolicyviolation: style-src-elem/,
    /securitypolicyviolation: require-trusted-types-for/,
  ]
  // Leaving the page would lose what it has not reported yet.
  await expect.poll(() => missing(ofPage), { timeout: SHOW_MS }).toEqual([])
  await page.goto('/v1/health')
  await page.goto('http://elsewhere.example/').catch(() => undefined)
  const ofWindow = [/^request elsewhere: http:\/\/elsewhere\.example\//, /^answer 503: .*\/v1\/health$/]
  await expect.poll(() => missing(ofWindow), { timeout: SHOW_MS }).toEqual([])
})

test('the checks of pages find a picture without a text, a wide page, and controls that Tab misses', async () => {
  const { page } = await dashboard.newWindow()
  await page.setContent(`<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1>
    <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
    <div style="width: 3000px">Wide</div>
    <button onfocus="document.getElementById('last').focus()">First</button>
    <button style="outline: none">Second</button>
    <button id="last" style="outline: none">Last</button></main></html>`)
  expect((await axeViolations(page)).map((line) => line.split(':')[0])).toEqual(['image-alt'])
  expect(await page.evaluate(sidewaysScroll)).toBeGreaterThan(1000)
  expect(await controlsMissedByTab(page)).toEqual({
    unreached: ['button "First"', 'button "Second"'],
    ringless: ['button#last "Last"'],
  })
})
