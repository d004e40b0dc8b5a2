import { expect } from 'vitest'
import type { Role } from '../../src/domain/member/member.ts'
import { customerOf, putInvoices } from '../../src/operations/billing/billing.suite.ts'
import { createPerson } from '../people.ts'
import { changeWallet } from '../rows.ts'
import { createStripeStandIn } from '../stand-ins/stripe.ts'
import { useResource } from '../use-world.ts'
import { busy } from './cast.ts'
import { test } from './chromium.ts'
import { useDashboard } from './dashboard.ts'
import { pressKeys, pressNamed, seeAddress, seeText } from './keys.ts'

const stripe = useResource(createStripeStandIn)
const dashboard = useDashboard(() => ({ payments: stripe.payments }))

async function opened(role: Role = 'owner', expected: readonly RegExp[] = []) {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await busy(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, role)
  const { page, open } = await dashboard.newWindow({ person, expected })
  // The pages of the payment provider are not ours.
  await page.route(/stripe\.example/, (route) => route.fulfill({ body: 'A page of the provider' }))
  const wallet = async () => (await workspace.api('GET', '/v1/billing/wallet')).body
  return { page, open, workspace, wallet }
}

test('an owner sees how long the balance lasts, and is led to the payment page with the amount', async () => {
  const { page, open } = await opened('owner', [/request elsewhere: https:\/\/checkout\.stripe\.example/])
  await open('/inbox')
  await seeText(page, 'relevant of')
  await pressKeys(page, 'g b')
  await seeAddress(page, '/billing')
  await seeText(page, /Ends about \d+ \w+ \d{4}, at the present rate/)
  await page.getByLabel('Amount in US dollars').fill('12')
  await seeText(page, 'From $20 to $5,000.')
  expect(await page.getByRole('button', { name: 'Go to the payment page' }).isDisabled()).toBe(true)
  await page.getByLabel('Amount in US dollars').fill('120.50')
  await page.keyboard.press('Enter')
  await seeText(page, 'A page of the provider')
  const session = stripe.objects.get(page.url().split('/').at(-1)!)!
  expect(session['amount_total']).toBe(12_050)
  const asked = stripe.taken.findLast(({ path }) => path === '/v1/checkout/sessions')
  await open(new URL(asked!.form['success_url']!).pathname + new URL(asked!.form['success_url']!).search)
  await seeText(page, 'The balance grows when the payment provider reports the payment')
})

test('the auto-recharge is saved, and undone by a key', async () => {
  const { page, open, wallet } = await opened('admin')
  await open('/billing')
  await page.getByLabel('Recharge by itself').check()
  await page.getByLabel('When the balance falls below, in US dollars').fill('15')
  await pressNamed(page, 'button', 'Save the auto-recharge')
  await seeText(page, 'The auto-recharge is saved')
  expect((await wallet()).autoRecharge).toMatchObject({ enabled: true, thresholdCents: 1500, amountCents: 5000 })
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  await pressKeys(page, 'z')
  await seeText(page, 'Undone: The auto-recharge is saved')
  expect((await wallet()).autoRecharge).toMatchObject({ enabled: false, thresholdCents: 1000 })
})

test('usage is broken down, the ledger has running balances, and an invoice opens', async () => {
  const { page, open, workspace } = await opened('owner', [/request elsewhere: https:\/\/invoice\.stripe\.example/])
  await open('/billing/usage')
  await seeText(page, 'A relevant mention costs')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Northlight' }) })
  await row.getByText('¢').first().waitFor()
  await page.getByRole('combobox', { name: 'By' }).selectOption('platform')
  await seeAddress(page, '/billing/usage?by=platform')
  await page.getByRole('cell', { name: 'Reddit' }).first().waitFor()
  await pressNamed(page, 'link', 'Month before')
  await seeText(page, 'Nothing was charged in this month.')
  await pressNamed(page, 'link', 'Ledger')
  await page.getByRole('row').filter({ hasText: 'Welcome credit' }).getByText('+$5.80').first().waitFor()
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('refund')
  await seeText(page, 'No entry of this kind')
  putInvoices(stripe, await customerOf(workspace), 2)
  await pressNamed(page, 'link', 'Invoices')
  await page.getByRole('button', { name: 'Open ACME-1' }).click()
  await seeText(page, 'A page of the provider')
})

test('a member sees the wallet, and who may change it', async () => {
  const { page, open, workspace } = await opened('member')
  await changeWallet(dashboard.world, workspace.workspaceId, { balanceUnits: 60 * 30 })
  await open('/billing')
  await seeText(page, 'The balance is low: at most a fifth of the last credit is left.')
  await seeText(page, 'An admin or owner of the workspace can top up the balance')
  expect(await page.getByLabel('Amount in US dollars').isDisabled()).toBe(true)
  expect(await page.getByLabel('Recharge by itself').isDisabled()).toBe(true)
  await pressNamed(page, 'link', 'Ledger')
  await seeText(page, 'The ledger and the invoices are for admins and owners')
})
