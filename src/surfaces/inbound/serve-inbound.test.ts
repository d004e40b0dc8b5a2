import { beforeEach, describe, expect, test } from 'vitest'
import { openRaw } from '../../../test/raw.ts'
import { createStripeStandIn, signatureOf } from '../../../test/stand-ins/stripe.ts'
import { until } from '../../../test/until.ts'
import { useResource, useWorld } from '../../../test/use-world.ts'
import { balanceOf, type Payer, payer, payOnPage } from '../../commands/payments/payments.suite.ts'
import { DatabaseUnavailable } from '../../store/database.ts'
import { BODY_MS } from '../http/body.ts'

let acme: Payer
let message: { body: string; signature: string }
const stripe = useResource(createStripeStandIn)
const world = useWorld(() => ({ payments: stripe.payments }))
beforeEach(async () => {
  acme = await payer(world)
  message = stripe.message('payment_intent.succeeded', (await payOnPage(stripe, acme)).intent)
})

const now = () => Math.floor(world.clock.now().getTime() / 1000)

async function send(body: string, signature?: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${world.origin}/hooks/stripe`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
      ...headers,
    },
  })
  const text = await reply.text()
  return { status: reply.status, body: JSON.parse(text), headers: reply.headers }
}

test('a signed message is taken, and answered when the money is in the wallet', async () => {
  const { status, body } = await send(message.body, message.signature)
  expect([status, body]).toEqual([200, { received: true }])
  expect(await balanceOf(acme.acme)).toBe(5000)
  expect((await send(message.body, message.signature)).status).toBe(200)
  expect(await balanceOf(acme.acme)).toBe(5000)
})

test('a message of no matter, and one about nobody here, are taken so that they are not sent again', async () => {
  const other = stripe.message('customer.updated', { id: 'cus_1' })
  const foreign = stripe.message('payment_intent.succeeded', {
    ...JSON.parse(message.body).data.object,
    metadata: {},
    id: 'pi_foreign',
  })
  expect([
    (await send(other.body, other.signature)).status,
    (await send(foreign.body, foreign.signature)).status,
  ]).toEqual([200, 200])
  expect(world.logged.some(({ became, about }) => became === 'not ours' && about === 'pi_foreign')).toBe(true)
})

describe('refused, without a trace in the wallet, is', () => {
  test.each([
    ['a message without a signature', () => [message.body, undefined]],
    ['one signed with another secret', () => [message.body, signatureOf(message.body, now(), 'whsec_other')]],
    [
      'one whose amount was changed',
      () => [message.body.replace(/"amount_received": \d+/, '"amount_received": 500000'), message.signature],
    ],
    [
      'one that was written anew with the same contents',
      () => [JSON.stringify(JSON.parse(message.body)), message.signature],
    ],
    ['a recording', () => [message.body, signatureOf(message.body, now() - 301)]],
    ['one of the future', () => [message.body, signatureOf(message.body, now() + 301)]],
    ['one with the signature of another message', () => [message.body, signatureOf('{}', now())]],
    ['nothing', () => ['', signatureOf('x', now())]],
  ] as const)('%s', async (_, forged) => {
    const [body, signature] = forged() as [string, string | undefined]
    const answer = await send(body, signature)
    expect([401, 415]).toContain(answer.status)
    expect(['invalid_signature', 'unsupported_media_type']).toContain(answer.body.error.code)
    expect(await balanceOf(acme.acme)).toBe(0)
  })

  test('one that is larger than any real one', async () => {
    const body = ' '.repeat(1024 * 1024 + 1)
    const { status, body: answer } = await send(body, signatureOf(body, now()))
    expect([status, answer.error.code]).toEqual([413, 'payload_too_large'])
  })

  test('one that drips, five seconds after it began', async () => {
    const before = world.clock.waits
    const connection = await openRaw(world.port)
    connection.write(
      `POST /hooks/stripe HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n `,
    )
    await until(() => world.clock.waits > before)
    await world.clock.advance(BODY_MS - 1)
    connection.write(' ')
    await world.clock.advance(1)
    const { status, headers } = await connection.answer()
    expect([status, headers.get('connection')]).toEqual([408, 'close'])
    await connection.closed
  })

  test('one that is no text', async () => {
    const reply = await fetch(`${world.origin}/hooks/stripe`, {
      method: 'POST',
      body: Buffer.from([0xff, 0xfe]),
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(400)
  })
})

test('a key or a session has nothing to say here', async () => {
  const { status } = await send(message.body, undefined, { authorization: `Bearer ${acme.acme.writeKey}` })
  expect(status).toBe(401)
})

test('what cannot be stored is not answered as taken, and is taken when it is sent again', async () => {
  const { db } = world.services
  world.services.db = { ...db, transaction: () => Promise.reject(new DatabaseUnavailable(new Error('gone'))) }
  expect((await send(message.body, message.signature)).status).toBe(503)
  world.services.db = db
  expect((await send(message.body, message.signature)).status).toBe(200)
  expect(await balanceOf(acme.acme)).toBe(5000)
})

test('what is signed but has another form is refused, and is logged', async () => {
  const odd = stripe.message('payment_intent.succeeded', { id: 'pi_odd' })
  const { status, body } = await send(odd.body, odd.signature)
  expect([status, body.error.code]).toEqual([400, 'validation_error'])
  expect(stripe.lines.join('')).toContain('stripe.event_invalid')
})

test('without a provider nothing is taken', async () => {
  const { payments } = world.services
  world.services.payments = null
  const { status, body } = await send(message.body, message.signature)
  world.services.payments = payments
  expect([status, body.error.code]).toEqual([503, 'billing_not_configured'])
})

test('pages of others cannot read the answer', async () => {
  const { headers } = await send(message.body, message.signature, { origin: 'https://evil.example' })
  expect(headers.get('access-control-allow-origin')).toBeNull()
})
