import { expect } from 'vitest'
import { setBalance } from '../../../src/commands/wallet/wallet-setting.suite.ts'
import { watchWallets } from '../../../src/commands/wallet/watch-wallets.ts'
import { createPerson } from '../../people.ts'
import { createStripeStandIn } from '../../stand-ins/stripe.ts'
import { useResource } from '../../use-world.ts'
import { busy } from '../cast.ts'
import { test } from '../chromium.ts'
import { useDashboard } from '../dashboard.ts'
import { pressNamed, SHOW_MS, seeNoText, seeText } from '../keys.ts'

const stripe = useResource(createStripeStandIn)
const dashboard = useDashboard(() => ({ payments: stripe.payments }))

interface Paused {
  pausedForBalance: boolean
}

const STOPPED = 'The balance ran out, so every keyword is paused.'

test('the wallet is empty: a refused top-up takes nothing, and a paid one starts the keywords again', async () => {
  const { world } = dashboard
  const workspace = await world.workspace('Acme')
  await busy(world, workspace)
  const person = await createPerson(world.services, workspace.workspaceId, 'owner')
  const { page, open } = await dashboard.newWindow({
    person,
    expected: [/request elsewhere: https:\/\/checkout\.stripe\.example/, /status of 50[0-9]/, /answer 50[0-9]/],
  })
  await page.route(/stripe\.example/, (route) => route.fulfill({ body: 'A page of the provider' }))
  const wallet = async () => (await workspace.api('GET', '/v1/billing/wallet')).body
  const pausedKeywords = async () =>
    (await workspace.api('GET', '/v1/keywords')).body.data.map(({ pausedForBalance }: Paused) => pausedForBalance)
  await setBalance(world, workspace, 0)
  await watchWallets(world.services)
  expect(await pausedKeywords()).toEqual([true])

  await open('/inbox')
  await seeText(page, STOPPED)
  await pressNamed(page, 'link', 'Money')
  await seeText(page, 'They start by themselves when the balance covers')
  stripe.faults.push({ match: '/v1/checkout/sessions', status: 402, body: DECLINED, times: 10 })
  await page.getByLabel('Amount in US dollars').fill('50')
  await pressNamed(page, 'button', 'Go to the payment page')
  await page.getByRole('main').getByRole('alert').waitFor({ timeout: SHOW_MS })
  expect(await page.getByLabel('Amount in US dollars').inputValue()).toBe('50')
  expect((await wallet()).stopped).toBe(true)

  stripe.faults.length = 0
  await pressNamed(page, 'button', 'Go to the payment page')
  await seeText(page, 'A page of the provider')
  const { body, signature } = stripe.message('payment_intent.succeeded', stripe.pay(page.url().split('/').at(-1)!))
  await fetch(`${world.origin}/hooks/stripe`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  })
  await open('/billing?paid=yes')
  await seeText(page, 'Last top-up on')
  await seeNoText(page, STOPPED)
  expect(await pausedKeywords()).toEqual([false])
  expect((await wallet()).balanceCents).toBe(5000)
})

/** As the payment provider writes that it refuses. */
const DECLINED = { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } }
