// Another agent than the platform's own is in force wherever this package is used, as it is in the service.
import 'undici'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.ts'
import { createStripeStandIn, SECRET_KEY } from '../../../test/stand-ins/stripe.ts'
import { useResource } from '../../../test/use-world.ts'
import { PaymentFault } from '../../domain/payment/fault.ts'
import { newUuid, toId } from '../../kernel/ids.ts'
import { createLog } from '../../kernel/log.ts'
import { PAYMENT_LIMIT_MS, type Payments } from '../contract.ts'
import { createStripePayments } from './stripe.ts'

const clock = createTestClock()
const WORKSPACE = newUuid(clock.now())
const ATTEMPT = newUuid(clock.now())
const PAYER = newUuid(clock.now())
let payments: Payments
let customerId: string
const stripe = useResource(createStripeStandIn)
beforeAll(async () => {
  payments = stripe.payments(clock)
  customerId = (await payments.createCustomer(
    { workspaceId: WORKSPACE, email: 'ann@acme.example' },
    'customer key',
  )) as string
})
beforeEach(() => {
  stripe.taken.length = stripe.faults.length = stripe.lines.length = 0
})

const checkout = () => ({
  workspaceId: WORKSPACE,
  payerId: PAYER,
  customerId,
  amountCents: 5000,
  successUrl: 'https://app.example/paid',
  cancelUrl: 'https://earshot.example',
})
const order = (paymentMethodId: string) => ({
  workspaceId: WORKSPACE,
  attemptId: ATTEMPT,
  customerId,
  paymentMethodId,
  amountCents: 5000,
  receiptEmail: 'ann@acme.example',
})
let count = 0
function freshKey(): string {
  count += 1
  return `key ${count}`
}

test('a customer carries the address and the workspace', () => {
  expect(stripe.objects.get(customerId)).toMatchObject({
    email: 'ann@acme.example',
    metadata: { earshot_workspace: toId('org', WORKSPACE) },
  })
})

test('a customer is known by another address from now on, and one that is gone is said to be', async () => {
  const id = (await payments.createCustomer(
    { workspaceId: WORKSPACE, email: 'old@acme.example' },
    freshKey(),
  )) as string
  expect(await payments.updateCustomer(id, { email: 'new@acme.example' })).toBe(id)
  expect(stripe.objects.get(id)).toMatchObject({ email: 'new@acme.example' })
  expect(await payments.updateCustomer('cus_nobody', { email: 'new@acme.example' })).toEqual(new PaymentFault('gone'))
})

test('what a customer has paid is read, without what was only begun, is older, is another’s or cannot be read', async () => {
  const customer = (await payments.createCustomer(
    { workspaceId: WORKSPACE, email: 'ann@acme.example' },
    freshKey(),
  )) as string
  const since = clock.now()
  const created = since.getTime() / 1000
  const paid = {
    object: 'payment_intent',
    created,
    status: 'succeeded',
    amount_received: 5000,
    currency: 'usd',
    customer,
    payment_method: 'pm_1',
    metadata: {},
  }
  const given = [
    { id: 'pi_paid' },
    { id: 'pi_begun', status: 'processing', amount_received: 0 },
    { id: 'pi_old', created: created - 1 },
    { id: 'pi_others', customer: 'cus_other' },
    { id: 'pi_odd', amount_received: 'much' },
    { id: 'pi_back', latest_charge: stripe.put({ id: 'ch_back', amount_refunded: 700, disputed: true })['id'] },
  ]
  for (const item of given) stripe.put({ ...paid, ...item })
  const read = await payments.paymentsOf(customer, since)
  const as = (reference: string) =>
    expect.objectContaining({ what: 'paid', reference, amount: 5000, customerId: customer, begunAt: since })
  const refunded = {
    what: 'refunded',
    reference: 'pi_back',
    workspaceId: null,
    amount: 700,
    currency: 'usd',
    asOf: since,
  }
  expect(read).toEqual([
    { paid: as('pi_back'), refunded, disputed: true },
    { paid: as('pi_paid'), refunded: null, disputed: false },
  ])
  expect(stripe.lines.join('')).toContain('pi_odd')
})

test('the disputes of a payment are read, without what is another’s or cannot be read', async () => {
  const dispute = { object: 'dispute', payment_intent: 'pi_disputed', amount: 5000, currency: 'usd', status: 'lost' }
  for (const change of [
    { id: 'dp_own' },
    { id: 'dp_others', payment_intent: 'pi_other' },
    { id: 'dp_odd', amount: -1 },
  ])
    stripe.put({ ...dispute, ...change })
  const own = { what: 'disputed', id: 'dp_own', reference: 'pi_disputed', amount: 5000, currency: 'usd', state: 'lost' }
  expect(await payments.disputesOf('pi_disputed')).toEqual([own])
  expect(stripe.lines.join('')).toContain('dp_odd')
})

test('an invoice that cannot be read is left out of the list and logged, and the list goes on behind it', async () => {
  const invoice = { object: 'invoice', customer: 'cus_odd', number: 'A', status: 'paid', amount_due: 100 }
  stripe.put({ ...invoice, id: 'in_good', created: 2 })
  stripe.put({ ...invoice, id: 'in_odd', created: 1, amount_due: -5, number: 'ann@acme.example' })
  expect(await payments.listInvoices('cus_odd', { limit: 2, after: null })).toEqual({
    invoices: [{ id: 'in_good', number: 'A', status: 'paid', amountCents: 100, createdAt: new Date(2000) }],
    last: 'in_odd',
    more: false,
  })
  expect(stripe.lines.join('')).toContain('in_odd')
  expect(stripe.lines.join('')).not.toContain('ann@')
})

test('a page of payment says what is paid, for whom, and what it is saved for', async () => {
  expect(await payments.openCheckout(checkout(), freshKey())).toMatch(/^https:\/\/checkout\.stripe\.example\//)
  expect(stripe.taken[0]!.form).toEqual({
    mode: 'payment',
    customer: customerId,
    client_reference_id: toId('org', WORKSPACE),
    success_url: 'https://app.example/paid',
    cancel_url: 'https://earshot.example',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '5000',
    'line_items[0][price_data][product_data][name]': 'Earshot balance',
    'metadata[earshot_workspace]': toId('org', WORKSPACE),
    'metadata[earshot_kind]': 'topup',
    'metadata[earshot_payer]': toId('user', PAYER),
    'payment_intent_data[metadata][earshot_payer]': toId('user', PAYER),
    'payment_intent_data[metadata][earshot_workspace]': toId('org', WORKSPACE),
    'payment_intent_data[metadata][earshot_kind]': 'topup',
    'payment_intent_data[setup_future_usage]': 'off_session',
    'invoice_creation[enabled]': 'true',
    'adaptive_pricing[enabled]': 'false',
  })
})

test('the same request under the same key is the same page, and other words under it are refused', async () => {
  const key = freshKey()
  const first = await payments.openCheckout(checkout(), key)
  expect(await payments.openCheckout(checkout(), key)).toBe(first)
  expect(await payments.openCheckout({ ...checkout(), amountCents: 6000 }, key)).toEqual(new PaymentFault('refused'))
})

describe('charging what was saved', () => {
  test('asks for it without the person, and answers the payment', async () => {
    expect(await payments.charge(order('pm_good'), freshKey())).toEqual({
      outcome: 'paid',
      reference: expect.stringMatching(/^pi_/),
      amountCents: 5000,
    })
    expect(stripe.taken[0]!.form).toMatchObject({
      off_session: 'true',
      confirm: 'true',
      customer: customerId,
      payment_method: 'pm_good',
      amount: '5000',
      currency: 'usd',
      receipt_email: 'ann@acme.example',
      'automatic_payment_methods[allow_redirects]': 'never',
      'metadata[earshot_kind]': 'auto_recharge',
      'metadata[earshot_attempt]': ATTEMPT,
    })
  })

  test.each([
    ['pm_declined', { outcome: 'declined', code: 'card_declined' }],
    ['pm_poor', { outcome: 'declined', code: 'insufficient_funds' }],
    ['pm_asks', { outcome: 'declined', code: 'authentication_required' }],
    ['pm_slow', { outcome: 'processing' }],
  ])('with %s is answered %j', async (method, outcome) => {
    expect(await payments.charge(order(method), freshKey())).toEqual(outcome)
  })

  test('twice under one key charges once, though the first answer was lost', async () => {
    const key = freshKey()
    const before = stripe.objects.size
    stripe.faults.push({ match: '/payment_intents', dropAnswer: true })
    expect(await payments.charge(order('pm_good'), key)).toEqual(new PaymentFault('unavailable'))
    expect(await payments.charge(order('pm_good'), key)).toMatchObject({ outcome: 'paid' })
    expect([...stripe.objects.values()].filter(({ object }) => object === 'payment_intent').length).toBeGreaterThan(0)
    expect(stripe.objects.size - before).toBe(2)
  })
})

describe('a call that fails', () => {
  test.each([
    [500, undefined, 'unavailable'],
    [503, undefined, 'unavailable'],
    [429, undefined, 'unavailable'],
    [409, { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'x' } }, 'unavailable'],
    [400, { error: { type: 'invalid_request_error', code: 'parameter_missing', message: 'x' } }, 'refused'],
    [401, undefined, 'locked_out'],
    [403, undefined, 'locked_out'],
    [404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'x' } }, 'gone'],
  ] as const)('with %i %j is %s', async (status, body, kind) => {
    stripe.faults.push({ match: '/sessions', status, body })
    expect(await payments.openCheckout(checkout(), freshKey())).toEqual(new PaymentFault(kind))
    expect(stripe.taken).toHaveLength(1)
  })

  test.each([
    ['nothing of what is relied on', {}],
    ['no address to lead to', { id: 'cs_1', url: null }],
    ['an address of another kind', { id: 'cs_1', url: 'javascript:alert(1)' }],
    ['an address without encryption', { id: 'cs_1', url: 'http://checkout.stripe.example/x' }],
    ['a list', []],
  ])('by an answer with %s is as no answer', async (_, body) => {
    stripe.faults.push({ match: '/sessions', status: 200, body })
    expect(await payments.openCheckout(checkout(), freshKey())).toEqual(new PaymentFault('unavailable'))
    expect(stripe.lines.join('')).toContain('stripe.reply_invalid')
  })

  test('because nobody listens is as no answer', async () => {
    const log = createLog('fatal')
    const lost = createStripePayments({
      secretKey: 'sk_x',
      webhookSecret: 'whsec_x',
      apiUrl: 'http://127.0.0.1:9',
      clock,
      log,
    })
    expect(await lost.check()).toEqual(new PaymentFault('unavailable'))
  })

  test.each([
    ['a request that is wrong', 400, { type: 'invalid_request_error', code: 'url_invalid', message: 'x' }, 'error'],
    ['a key that is not taken', 401, { type: 'invalid_request_error', code: 'api_key_expired', message: 'x' }, 'error'],
    ['a card that is declined', 402, { type: 'card_error', code: 'card_declined', message: 'x' }, 'warn'],
    ['a bad hour of theirs', 500, { type: 'api_error', code: 'lock_timeout', message: 'x' }, 'warn'],
  ])(
    'for %s is logged with their code, and as an error where it is for us to mend',
    async (_, status, error, level) => {
      stripe.faults.push({ match: '/sessions', status, body: { error } })
      await payments.openCheckout(checkout(), freshKey())
      expect(JSON.parse(stripe.lines.at(-1)!)).toMatchObject({ level, code: error.code, status })
    },
  )

  test('leaves neither the key nor anything of the request in the log', async () => {
    stripe.faults.push({
      match: '/payment_intents',
      status: 400,
      body: { error: { type: 'invalid_request_error', message: `ann@acme.example ${SECRET_KEY}` } },
    })
    await payments.charge(order('pm_good'), freshKey())
    expect(stripe.lines.join('')).toContain('charge what was saved')
    expect(stripe.lines.join('')).not.toMatch(/sk_test|ann@|pm_good/)
  })

  test('for silence is given up in time', async () => {
    expect(PAYMENT_LIMIT_MS).toBe(10_000)
    stripe.faults.push({ match: '/invoices', hang: true })
    const began = performance.now()
    expect(await payments.check()).toEqual(new PaymentFault('unavailable'))
    expect(performance.now() - began).toBeLessThan(PAYMENT_LIMIT_MS + 2000)
  }, 15_000)
})

test('the operator is told whether requests are taken', async () => {
  expect(await payments.check()).toBeNull()
  const wrong = createStripePayments({
    secretKey: 'sk_wrong',
    webhookSecret: 'whsec_x',
    apiUrl: stripe.url,
    clock,
    log: createLog('fatal'),
  })
  expect(await wrong.check()).toEqual(new PaymentFault('locked_out'))
})
