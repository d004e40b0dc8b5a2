import { makeKeyword } from '../mentions.ts'
import { createPerson } from '../people.ts'
import { useFreshWorkspace } from '../use-world.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressNamed, seeNoText, seeText } from './keys.ts'
import { shoot } from './shoot.ts'

const { world, newWindow } = useDashboard()
const acme = useFreshWorkspace(world, 'Acme')

/** The browser writes a line for every refusal that a page asks for. */
const REFUSED = [/Failed to load resource: the server responded with a status of/]

async function openStart(expected: readonly RegExp[] = []) {
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  const window = await newWindow({ person, expected })
  await window.open('/start')
  return window.page
}

test('an address that may not be called is refused at its field', async () => {
  await makeKeyword(acme, { term: 'Northlight' })
  const page = await openStart(REFUSED)
  await page.getByRole('radio', { name: 'Webhook' }).check()
  await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook')
  await pressNamed(page, 'button', 'Create the webhook')
  await page.locator('input[aria-invalid=true]').waitFor()
  await shoot(page, 'start-webhook-refused')
})

test('a busy topic shows how mentions arrive, and goes with one press', async () => {
  await makeKeyword(acme, { term: 'Northlight' })
  const page = await openStart()
  await pressNamed(page, 'button', 'See it move with “coffee”')
  await seeText(page, '“coffee” is watched to show how mentions arrive.')
  await shoot(page, 'start-trial')
  await pressNamed(page, 'button', 'Delete “coffee”')
  await seeNoText(page, '“coffee” is watched to show how mentions arrive.')
})

test('the secret of a webhook is shown once', async () => {
  await makeKeyword(acme, { term: 'Northlight' })
  const page = await openStart()
  await page.getByRole('radio', { name: 'Webhook' }).check()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://receiver.example/hook')
  await pressNamed(page, 'button', 'Create the webhook')
  await page.getByLabel('Signing secret').first().waitFor()
  await shoot(page, 'start-secret')
  await pressNamed(page, 'button', 'The secret is stored')
  await page.getByLabel('Signing secret').first().waitFor({ state: 'hidden' })
  await seeText(page, 'Mentions go to receiver.example (webhook).')
})
