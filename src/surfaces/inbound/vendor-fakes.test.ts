import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAKES_ARE_THERE, startFakes, type VendorFakes } from '../../../test/stand-ins/vendor-fakes.ts'
import { createWorld, type World } from '../../../test/world.ts'
import { runAutoRecharges } from '../../commands/payments/auto-recharge.ts'
import { balanceOf, ledgerOf, type Payer, payer } from '../../commands/payments/payments.suite.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createLog } from '../../kernel/log.ts'
import { createStripePayments } from '../../payments/stripe/stripe.ts'
import { sql } from '../../store/database.ts'

describe.skipIf(!FAKES_ARE_THERE)('with the stand-in of others', () => {
  let fakes: VendorFakes
  let world: World
  let acme: Payer
  beforeAll(async () => {
    fakes = await startFakes()
    const { url } = fakes
    const { stripeKey, stripeWh } = (await control('config')) as { stripeKey: string; stripeWh: string }
    const log = createLog('fatal')
    world = await createWorld({
      payments: (clock) =>
        createStripePayments({ secretKey: stripeKey, webhookSecret: stripeWh, apiUrl: url, clock, log }),
    })
    // Its messages bear the time of this machine.
    world.clock.set(systemClock.now())
    acme = await payer(world)
    await control('stripe/hook', { url: `${world.origin}/hooks/stripe` })
  })
  afterAll(async () => {
    await world?.services.payments?.close()
    await world?.close()
    fakes?.stop()
  })

  const control: VendorFakes['control'] = (path, body) => fakes.control(path, body)

  const outcomes = (answer: unknown) => (answer as { out: { status: number }[] }).out.map(({ status }) => status)
  const wallet = async () => (await acme.acme.api('GET', '/v1/billing/wallet')).body
  const objects = async (kind: string) =>
    ((await control('state')) as { stripe: { object: string; id: string }[] }).stripe.filter(
      ({ object }) => object === kind,
    )

  test('a top-up is paid, credited once, refunded and invoiced', async () => {
    const { status, body } = await acme.acme.api('POST', '/v1/billing/top-ups', {
      amountCents: 5000,
      successUrl: 'https://app.example/paid',
    })
    expect([status, body.url]).toEqual([201, expect.stringMatching(/^https:/)])
    const session = body.url.split('/').at(-1)
    expect(outcomes(await control('stripe/pay', { session }))).toEqual([200])
    expect(await balanceOf(acme.acme)).toBe(5000)
    expect(await ledgerOf(acme.acme)).toHaveLength(1)
    expect((await wallet()).autoRecharge.available).toBe(true)

    const invoices = (await acme.acme.api('GET', '/v1/billing/invoices')).body.data
    expect(invoices).toEqual([expect.objectContaining({ amountCents: 5000, status: 'paid' })])
    expect((await acme.acme.api('GET', `/v1/billing/invoices/${invoices[0].id}/url`)).body.url).toMatch(/^https:/)

    const [intent] = await objects('payment_intent')
    const { stripeKey } = (await control('config')) as { stripeKey: string }
    const refund = new URLSearchParams({ payment_intent: intent!.id, amount: '1500' })
    await fetch(`${fakes.url}/v1/refunds`, {
      method: 'POST',
      body: refund,
      headers: { authorization: `Bearer ${stripeKey}` },
    })
    expect(await balanceOf(acme.acme)).toBe(3500)
  })

  test('messages that are forged or old are refused, and repeated ones change nothing', async () => {
    const [intent] = await objects('payment_intent')
    const forged = { ...intent, id: 'pi_forged' }
    expect(
      outcomes(await control('stripe/event', { type: 'payment_intent.succeeded', object: forged, bad: 'signature' })),
    ).toEqual([401])
    expect(
      outcomes(await control('stripe/event', { type: 'payment_intent.succeeded', object: forged, bad: 'old' })),
    ).toEqual([401])
    expect(
      outcomes(await control('stripe/event', { type: 'payment_intent.succeeded', object: intent, dup: 3 })),
    ).toEqual([200, 200, 200])
    expect(await balanceOf(acme.acme)).toBe(3500)
  })

  test('what was saved is charged when the balance is low, and a card that is declined is told of', async () => {
    await acme.acme.api('PATCH', '/v1/billing/auto-recharge', {
      enabled: true,
      thresholdCents: 4500,
      amountCents: 2000,
    })
    await control('fault', { match: 'payment_intents', drop: true })
    await expect(runAutoRecharges(world.services)).rejects.toThrow('did not answer')
    await world.db.query(sql`update billing_profile set attempt_held_until = ${world.clock.now()}`)
    expect(await runAutoRecharges(world.services)).toBe(1)
    expect(await balanceOf(acme.acme)).toBe(5500)
    await world.db.query(
      sql`update billing_profile set payment_method_id = 'pm_card_authenticationRequired', auto_threshold_cents = 90000,
          next_try_at = null`,
    )
    await runAutoRecharges(world.services)
    expect((await wallet()).autoRecharge.lastError).toMatch(/^authentication_required: /)
    expect(await balanceOf(acme.acme)).toBe(5500)
  })

  test('a dispute takes the money and is found by its payment', async () => {
    const [intent] = await objects('payment_intent')
    const dispute = {
      id: 'dp_1',
      object: 'dispute',
      payment_intent: intent!.id,
      amount: 3500,
      currency: 'usd',
      status: 'needs_response',
    }
    expect(outcomes(await control('stripe/event', { type: 'charge.dispute.created', object: dispute }))).toEqual([200])
    expect(await balanceOf(acme.acme)).toBe(2000)
    expect(
      outcomes(await control('stripe/event', { type: 'charge.dispute.closed', object: { ...dispute, status: 'won' } })),
    ).toEqual([200])
    expect(await balanceOf(acme.acme)).toBe(5500)
  })

  test('a key that is not taken is a provider that does not respond', async () => {
    await control('fault', {
      match: 'checkout',
      status: 401,
      body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } },
    })
    const { body } = await acme.acme.api('POST', '/v1/billing/top-ups', {
      amountCents: 5000,
      successUrl: 'https://app.example/paid',
    })
    expect(body.error.code).toBe('upstream_unavailable')
  })
})
