import axe from 'axe-core'
import { JSDOM } from 'jsdom'
import { expect, test } from 'vitest'
import type { View } from '../../../test/browser.ts'
import { createPerson } from '../../../test/people.ts'
import { changeUser, changeWallet, removeMembership } from '../../../test/rows.ts'
import { useResource } from '../../../test/use-world.ts'
import { addressFor, createDanceFloor, REDIRECT_URI } from './dance.suite.ts'

const floor = useResource(createDanceFloor)

/** What keeps somebody from using a page, as far as that shows without drawing it. */
async function barriers({ html, address }: View): Promise<string[]> {
  const { window } = new JSDOM(html, { url: address, runScripts: 'outside-only' })
  window.eval(axe.source)
  const { violations } = await window.axe.run(window.document, { rules: { 'color-contrast': { enabled: false } } })
  return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
}

test('everybody can use the pages', async () => {
  const local = await floor.client({
    name: 'Robot',
    redirectUris: ['http://127.0.0.1/cb'],
    homeUrl: 'https://home.example/',
  })
  const browser = floor.browser()
  expect(await barriers(await browser.open(addressFor(local, { redirect_uri: 'http://127.0.0.1:7/cb' })))).toEqual([])
  const fields = { ...Object.fromEntries(new URL(browser.view.address).searchParams), decision: 'allow' }
  expect(await barriers(await browser.post('/oauth/authorize', fields))).toEqual([])
  expect(await barriers(await browser.open(addressFor({ id: 'nobody' })))).toEqual([])
  const lonely = await createPerson(floor.world.services, floor.acme.workspaceId, 'member')
  await removeMembership(floor.world, { workspaceId: floor.acme.workspaceId, userId: lonely.userId })
  expect(await barriers(await floor.browser(lonely).open(addressFor(await floor.client())))).toEqual([])
})

test('a page that somebody could not use is noticed', async () => {
  const page = await floor.browser().open(addressFor(await floor.client()))
  expect(await barriers({ ...page, html: page.html.replace(' lang="en"', '') })).toHaveLength(1)
})

test('what a stranger chose stays text wherever it stands', async () => {
  const hostile = `'"></title><script>x</script>&amp;\u2028{{7*7}}`
  const client = await floor.client({ name: hostile, homeUrl: `https://home.example/'"><script>` })
  await changeWallet(floor.world, floor.acme.workspaceId, { name: hostile })
  await changeUser(floor.world, { id: floor.person.userId }, { email: `"<b>@x"@people.example` })
  const page = await floor.browser().open(addressFor(client, { state: `"><script>${hostile}` }))
  expect(page.document.querySelectorAll('script, b, [onerror]')).toHaveLength(0)
  expect(page.document.querySelector('input[name=state]').value).toBe(`"><script>${hostile}`)
  expect(page.text).toContain('</title><script>x</script>&amp;')
  expect(page.document.querySelector('input[name=redirect_uri]').value).toBe(REDIRECT_URI)
})
