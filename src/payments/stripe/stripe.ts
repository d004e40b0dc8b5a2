import Stripe from 'stripe'
import { z } from 'zod'
import type { DisputeEvent, FoundPayment, PaymentEvent, RefundedEvent } from '../../domain/payment/event.ts'
import { PaymentFault } from '../../domain/payment/fault.ts'
import type { InvoiceList, InvoicePage } from '../../domain/payment/invoice.ts'
import { type Refusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import {
  type ChargeOrder,
  type ChargeOutcome,
  type Checkout,
  type NewCustomer,
  PAYMENTS_MAX,
  type Payments,
} from '../contract.ts'
import { problemsOf, StripeClient } from './client.ts'
import { isSignedByStripe } from './signature.ts'
import { disputeIn, foundPayment, paidIntent, reasonOf, refundsIn, toEvent } from './to-event.ts'
import * as wire from './wire.ts'

export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Replaces the address of Stripe's interface. */
  apiUrl: string | null
  clock: Clock
  log: Log
}

export function createStripePayments(options: StripeOptions): Payments {
  const client = new StripeClient(options)
  return {
    createCustomer: (customer, key) => createCustomer(client, customer, key),
    updateCustomer: (customerId, change) => updateCustomer(client, customerId, change),
    openCheckout: (checkout, key) => openCheckout(client, checkout, key),
    charge: (order, key) => chargeSaved(client, order, key),
    paymentsOf: (customerId, since) => paymentsOf(client, customerId, since),
    disputesOf: (reference) => disputesOf(client, reference),
    workspaceOf: (reference) => workspaceOf(client, reference),
    refundsOf: (chargeId, asOf) => refundsOf(client, chargeId, asOf),
    listInvoices: (customerId, page) => listInvoices(client, customerId, page),
    getInvoice: (id) => getInvoice(client, id),
    readMessage: (body, signature) => readMessage(options, body, signature),
    check: () => checkRequests(client),
    close: () => client.close(),
  }
}

async function createCustomer(client: StripeClient, { workspaceId, email }: NewCustomer, key: string) {
  const made = await client.ask('create a customer', wire.customer, () =>
    client.api.customers.create({ email, metadata: wire.workspaceLabel(workspaceId) }, { idempotencyKey: key }),
  )
  return made instanceof PaymentFault ? made : made.id
}

async function updateCustomer(client: StripeClient, customerId: string, { email }: { email: string }) {
  const updated = await client.ask('update a customer', wire.customer, () =>
    client.api.customers.update(customerId, { email }),
  )
  return updated instanceof PaymentFault ? updated : updated.id
}

async function openCheckout(client: StripeClient, checkout: Checkout, key: string): Promise<string | PaymentFault> {
  const opened = await client.ask('open a checkout', wire.checkoutPage, () =>
    client.api.checkout.sessions.create(checkoutParameters(checkout), { idempotencyKey: key }),
  )
  return opened instanceof PaymentFault ? opened : opened.url
}

function checkoutParameters({ workspaceId, payerId, customerId, amountCents, successUrl, cancelUrl }: Checkout) {
  const metadata = wire.labels(workspaceId, 'topup', { payerId })
  const price = { currency: 'usd', unit_amount: amountCents, product_data: { name: 'Earshot balance' } }
  return {
    mode: 'payment' as const,
    customer: customerId,
    client_reference_id: metadata['earshot_workspace']!,
    line_items: [{ quantity: 1, price_data: price }],
    success_url: successUrl,
    cancel_url: cancelUrl,
    metadata,
    // Stripe does not copy a session's metadata to its payment.
    payment_intent_data: { metadata, setup_future_usage: 'off_session' as const },
    invoice_creation: { enabled: true },
    // Payments in a currency other than the wallet's would not be credited.
    adaptive_pricing: { enabled: false },
  }
}

async function chargeSaved(
  client: StripeClient,
  order: ChargeOrder,
  key: string,
): Promise<ChargeOutcome | PaymentFault> {
  let declined: string | null = null
  const answer = await client.ask('charge what was saved', wire.paymentIntent, async () => {
    try {
      return await client.api.paymentIntents.create(chargeParameters(order), { idempotencyKey: key })
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError)
        declined = reasonOf({ code: error.code, decline_code: error.decline_code })
      throw error
    }
  })
  if (declined !== null) return { outcome: 'declined', code: declined }
  if (answer instanceof PaymentFault) return answer
  if (answer.status === 'succeeded')
    return { outcome: 'paid', reference: answer.id, amountCents: paidIntent(answer).amount }
  return answer.status === 'processing'
    ? { outcome: 'processing' }
    : { outcome: 'declined', code: 'authentication_required' }
}

function chargeParameters({
  workspaceId,
  attemptId,
  customerId,
  paymentMethodId,
  amountCents,
  receiptEmail,
}: ChargeOrder) {
  return {
    amount: amountCents,
    currency: 'usd',
    customer: customerId,
    payment_method: paymentMethodId,
    off_session: true,
    confirm: true,
    // Nobody is present to follow a redirect.
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
    description: 'Earshot balance, charged automatically',
    metadata: wire.labels(workspaceId, 'auto_recharge', { attemptId }),
    ...(receiptEmail === null ? {} : { receipt_email: receiptEmail }),
  }
}

async function paymentsOf(
  client: StripeClient,
  customerId: string,
  since: Date,
): Promise<FoundPayment[] | PaymentFault> {
  const created = { gte: Math.floor(since.getTime() / SECOND_MS) }
  const asked = { customer: customerId, created, limit: PAYMENTS_MAX, expand: ['data.latest_charge'] }
  const listed = await client.ask('list payments', wire.list, () => client.api.paymentIntents.list(asked))
  if (listed instanceof PaymentFault) return listed
  const intents = client.readable('list payments', wire.listedIntent, listed.data)
  return intents.filter(({ status }) => status === 'succeeded').map(foundPayment)
}

async function disputesOf(client: StripeClient, reference: string): Promise<DisputeEvent[] | PaymentFault> {
  const listed = await client.ask('list disputes', wire.list, () =>
    client.api.disputes.list({ payment_intent: reference, limit: PAYMENTS_MAX }),
  )
  if (listed instanceof PaymentFault) return listed
  const disputes = client.readable('list disputes', wire.dispute, listed.data)
  return disputes.flatMap((dispute) => disputeIn(dispute) ?? [])
}

async function workspaceOf(client: StripeClient, reference: string): Promise<Uuid | null | PaymentFault> {
  const intent = await client.ask('read a payment', wire.paymentIntent, () =>
    client.api.paymentIntents.retrieve(reference),
  )
  if (intent instanceof PaymentFault) return intent.kind === 'gone' ? null : intent
  return wire.readLabels(intent.metadata).workspaceId
}

async function refundsOf(
  client: StripeClient,
  chargeId: string,
  asOf: Date,
): Promise<RefundedEvent | null | PaymentFault> {
  const charge = await client.ask('read a charge', wire.charge, () => client.api.charges.retrieve(chargeId))
  if (charge instanceof PaymentFault) return charge.kind === 'gone' ? null : charge
  return refundsIn(charge, asOf)
}

async function listInvoices(
  client: StripeClient,
  customerId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<InvoiceList | PaymentFault> {
  const page = { customer: customerId, limit, ...(after === null ? {} : { starting_after: after }) }
  const listed = await client.ask('list invoices', wire.list, () => client.api.invoices.list(page))
  if (listed instanceof PaymentFault) return listed
  const invoices = client
    .readable('list invoices', wire.invoice, listed.data)
    .map(({ id, number, status, amount_due: amountCents, created }) => {
      return { id, number, status, amountCents, createdAt: new Date(created * SECOND_MS) }
    })
  return { invoices, last: listed.data.at(-1)?.id ?? null, more: listed.has_more }
}

async function getInvoice(client: StripeClient, id: string): Promise<InvoicePage | PaymentFault> {
  const invoice = await client.ask('read an invoice', wire.invoicePage, () => client.api.invoices.retrieve(id))
  if (invoice instanceof PaymentFault) return invoice
  return { customerId: invoice.customer, url: invoice.hosted_invoice_url ?? null }
}

function readMessage(
  { webhookSecret, clock, log }: Pick<StripeOptions, 'webhookSecret' | 'clock' | 'log'>,
  body: string,
  signature: string | undefined,
): PaymentEvent | null | Refusal<'invalid_signature' | 'validation_error'> {
  if (!isSignedByStripe(body, signature ?? '', webhookSecret, clock.now()))
    return refuse('invalid_signature', 'The signature is wrong or too old.')
  try {
    return toEvent(JSON.parse(body))
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error
    // Throws, so that Stripe sends the message again.
    const problems = error instanceof SyntaxError ? ['is not valid JSON'] : problemsOf(error)
    log.error(
      { event: 'stripe.event_invalid', problems },
      'A signed event from Stripe has an unexpected form and is ignored',
    )
    return refuseField('body', 'has not the expected form')
  }
}

async function checkRequests(client: StripeClient): Promise<PaymentFault | null> {
  const answer = await client.ask('look whether requests are taken', wire.list, () =>
    client.api.invoices.list({ limit: 1 }),
  )
  return answer instanceof PaymentFault ? answer : null
}
