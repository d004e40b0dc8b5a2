import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newUuid, toId } from '../../kernel/ids.ts'
import { MESSAGE_TYPES, toEvent } from './to-event.ts'

const AT = new Date('2026-11-20T09:30:00.000Z')
const SECONDS = AT.getTime() / 1000
const WORKSPACE = newUuid(AT)
const ATTEMPT = newUuid(AT)
const PAYER = newUuid(AT)
const METADATA = { earshot_workspace: toId('org', WORKSPACE), earshot_kind: 'topup' }

const told = (type: string, object: unknown) =>
  toEvent({ id: 'evt_1', object: 'event', type, created: SECONDS, data: { object } })

const session = {
  id: 'cs_1',
  created: SECONDS,
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 5000,
  currency: 'usd',
  customer: 'cus_1',
  metadata: METADATA,
}
const intent = {
  id: 'pi_1',
  created: SECONDS,
  status: 'succeeded',
  amount_received: 5000,
  currency: 'usd',
  customer: 'cus_1',
  payment_method: 'pm_1',
  metadata: METADATA,
}
const paid = {
  what: 'paid',
  reference: 'pi_1',
  workspaceId: WORKSPACE,
  kind: 'topup',
  attemptId: null,
  amount: 5000,
  currency: 'usd',
  customerId: 'cus_1',
  paymentMethodId: null,
  payerId: null,
  begunAt: AT,
}

test('a page that was paid and its payment are told of as the same payment', () => {
  expect(told('checkout.session.completed', session)).toEqual(paid)
  expect(told('checkout.session.async_payment_succeeded', session)).toEqual(paid)
  expect(told('payment_intent.succeeded', intent)).toEqual({ ...paid, paymentMethodId: 'pm_1' })
})

test('whose card it is, is said by the page that was opened', () => {
  const metadata = { ...METADATA, earshot_payer: toId('user', PAYER) }
  expect(told('payment_intent.succeeded', { ...intent, metadata })).toMatchObject({ payerId: PAYER })
  expect(
    told('payment_intent.succeeded', { ...intent, metadata: { ...METADATA, earshot_payer: toId('org', PAYER) } }),
  ).toMatchObject({ payerId: null })
})

test('a page without a payment stands for one', () => {
  expect(told('checkout.session.completed', { ...session, payment_intent: null })).toMatchObject({ reference: 'cs_1' })
})

test.each(['unpaid', 'no_payment_required'])('a page that is %s is no money', (payment_status) => {
  expect(told('checkout.session.completed', { ...session, payment_status })).toBeNull()
})

test('whose money it is, is said by what we wrote on it and nothing that a payer can choose', () => {
  const foreign = { ...session, metadata: {}, client_reference_id: toId('org', WORKSPACE) }
  expect(told('checkout.session.completed', foreign)).toMatchObject({ workspaceId: null })
  expect(
    told('payment_intent.succeeded', { ...intent, metadata: { earshot_workspace: 'org_nonsense' } }),
  ).toMatchObject({ workspaceId: null })
})

test('a recharge is told by its kind and its attempt', () => {
  const metadata = { ...METADATA, earshot_kind: 'auto_recharge', earshot_attempt: ATTEMPT }
  expect(told('payment_intent.succeeded', { ...intent, metadata })).toMatchObject({
    kind: 'auto_recharge',
    attemptId: ATTEMPT,
  })
  const last_payment_error = { code: 'card_declined', decline_code: 'insufficient_funds' }
  expect(told('payment_intent.payment_failed', { ...intent, metadata, last_payment_error })).toEqual({
    what: 'failed',
    reference: 'pi_1',
    workspaceId: WORKSPACE,
    attemptId: ATTEMPT,
    code: 'insufficient_funds',
  })
  expect(
    told('payment_intent.succeeded', { ...intent, metadata: { ...metadata, earshot_attempt: "'; drop" } }),
  ).toMatchObject({ attemptId: null })
})

test('a refund says how much has gone back in all, as of its message', () => {
  const charge = { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 700, currency: 'usd', metadata: METADATA }
  expect(told('charge.refunded', charge)).toEqual({
    what: 'refunded',
    reference: 'pi_1',
    workspaceId: WORKSPACE,
    amount: 700,
    currency: 'usd',
    asOf: AT,
  })
  expect(told('charge.refunded', { ...charge, payment_intent: null })).toBeNull()
  expect(told('refund.failed', { id: 're_1', charge: 'ch_1' })).toEqual({
    what: 'refund_failed',
    chargeId: 'ch_1',
    asOf: AT,
  })
})

test.each([
  ['canceled', { what: 'refund_failed', chargeId: 'ch_1', asOf: AT }],
  ['failed', { what: 'refund_failed', chargeId: 'ch_1', asOf: AT }],
  ['succeeded', null],
  ['pending', null],
])('a refund that has become %s is told as %j', (status, event) => {
  expect(told('refund.updated', { id: 're_1', charge: 'ch_1', status })).toEqual(event)
})

test.each([
  ['warning_needs_response', 'asked'],
  ['warning_closed', 'asked'],
  ['prevented', 'asked'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['something_new', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
])('a dispute that is %s counts as %s', (status, state) => {
  const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 5000, currency: 'usd', status }
  expect(told('charge.dispute.created', dispute)).toEqual({
    what: 'disputed',
    id: 'dp_1',
    reference: 'pi_1',
    amount: 5000,
    currency: 'usd',
    state,
  })
})

test('what is told of other things does not matter, whatever it looks like', () => {
  expect(told('customer.created', { nonsense: true })).toBeNull()
  expect(told('toString', intent)).toBeNull()
})

test.each([
  ['no amount', { amount_received: undefined }],
  ['a broken amount', { amount_received: 12.5 }],
  ['an amount below nothing', { amount_received: -1 }],
  ['an amount as text', { amount_received: '5000' }],
  ['no currency', { currency: null }],
  ['no id', { id: '' }],
])('a payment with %s is not believed', (_, wrong) => {
  expect(() => told('payment_intent.succeeded', { ...intent, ...wrong })).toThrow()
})

test('the operator is told of every type of message that matters', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  expect([...readme.matchAll(/^- `([a-z_.]+)`/gm)].map(([, type]) => type).sort()).toEqual([...MESSAGE_TYPES].sort())
})
