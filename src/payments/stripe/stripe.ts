import Stripe from 'stripe'
import { Agent, fetch as fetchThrough } from 'undici'
import { z } from 'zod'
import { type FaultKind, PaymentFault } from '../../domain/payment/fault.ts'
import { refuse, refuseField } from '../../domain/refusal/refusal.ts'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { type ChargeOrder, type ChargeOutcome, PAYMENT_LIMIT_MS, PAYMENTS_MAX, type Payments } from '../contract.ts'
import { isSigned } from './signature.ts'
import { disputeIn, foundPayment, paidIntent, reasonOf, refundsIn, toEvent } from './to-event.ts'
import * as wire from './wire.ts'

export interface StripeOptions {
  secretKey: string
  /** What messages of Stripe are signed with. */
  webhookSecret: string
  /** Replaces the address of Stripe's interface; the real one unless given. */
  apiUrl: string | null
  clock: Clock
  log: Log
}

/** Payments by Stripe, through its own library. Amounts are US dollars. Nothing is asked before the first call. */
export function createStripePayments({ secretKey, webhookSecret, apiUrl, clock, log }: StripeOptions): Payments {
  const agent = new Agent()
  const stripe = new Stripe(secretKey, {
    ...placeOf(apiUrl),
    // Limits one call as a whole. Calls are not repeated here: whoever asks knows whether asking again is worth it.
    timeout: PAYMENT_LIMIT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetcher(agent)),
  })

  /** Asks, and reads of the answer what is relied on. */
  async function ask<Shape extends z.ZodType>(
    what: string,
    shape: Shape,
    call: () => Promise<unknown>,
  ): Promise<z.output<Shape> | PaymentFault> {
    try {
      const read = shape.safeParse(await call())
      if (read.success) return read.data
      // It may well have been done: the same as no answer.
      log.error({ call: what, problems: problemsOf(read.error) }, 'an answer of Stripe has not the expected form')
      return new PaymentFault('unavailable')
    } catch (error) {
      return faultOf(what, error, log)
    }
  }

  return {
    async createCustomer({ workspaceId, email }, key) {
      const made = await ask('create a customer', wire.customer, () =>
        stripe.customers.create({ email, metadata: wire.workspaceLabel(workspaceId) }, { idempotencyKey: key }),
      )
      return made instanceof PaymentFault ? made : made.id
    },
    async updateCustomer(customerId, { email }) {
      const updated = await ask('update a customer', wire.customer, () =>
        stripe.customers.update(customerId, { email }),
      )
      return updated instanceof PaymentFault ? updated : updated.id
    },
    async openCheckout({ workspaceId, payerId, customerId, amountCents, successUrl, cancelUrl }, key) {
      const metadata = wire.labels(workspaceId, 'topup', { payerId })
      const opened = await ask('open a checkout', wire.checkoutPage, () =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            customer: customerId,
            client_reference_id: metadata['earshot_workspace']!,
            line_items: [
              {
                quantity: 1,
                price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: 'Earshot balance' } },
              },
            ],
            success_url: successUrl,
            cancel_url: cancelUrl,
            metadata,
            // What is written on a session is not handed down to its payment.
            payment_intent_data: { metadata, setup_future_usage: 'off_session' },
            invoice_creation: { enabled: true },
            // Whatever the account is set to: what is paid in another currency than the wallet's would not be credited.
            adaptive_pricing: { enabled: false },
          },
          { idempotencyKey: key },
        ),
      )
      return opened instanceof PaymentFault ? opened : opened.url
    },
    charge: (order, key) => chargeSaved(order, key),
    async paymentsOf(customerId, since) {
      const created = { gte: Math.floor(since.getTime() / SECOND_MS) }
      const asked = { customer: customerId, created, limit: PAYMENTS_MAX, expand: ['data.latest_charge'] }
      const listed = await ask('list payments', wire.list, () => stripe.paymentIntents.list(asked))
      if (listed instanceof PaymentFault) return listed
      const intents = readable('list payments', wire.listedIntent, listed.data)
      return intents.filter(({ status }) => status === 'succeeded').map(foundPayment)
    },
    async disputesOf(reference) {
      const listed = await ask('list disputes', wire.list, () =>
        stripe.disputes.list({ payment_intent: reference, limit: PAYMENTS_MAX }),
      )
      if (listed instanceof PaymentFault) return listed
      return readable('list disputes', wire.dispute, listed.data).flatMap((dispute) => disputeIn(dispute) ?? [])
    },
    async workspaceOf(reference) {
      const intent = await ask('read a payment', wire.paymentIntent, () => stripe.paymentIntents.retrieve(reference))
      if (intent instanceof PaymentFault) return intent.kind === 'gone' ? null : intent
      return wire.readLabels(intent.metadata).workspaceId
    },
    async refundsOf(chargeId, asOf) {
      const charge = await ask('read a charge', wire.charge, () => stripe.charges.retrieve(chargeId))
      if (charge instanceof PaymentFault) return charge.kind === 'gone' ? null : charge
      return refundsIn(charge, asOf)
    },
    async listInvoices(customerId, { limit, after }) {
      const listed = await ask('list invoices', wire.list, () =>
        stripe.invoices.list({ customer: customerId, limit, ...(after === null ? {} : { starting_after: after }) }),
      )
      if (listed instanceof PaymentFault) return listed
      const invoices = readable('list invoices', wire.invoice, listed.data).map(
        ({ id, number, status, amount_due, created }) => {
          return { id, number, status, amountCents: amount_due, createdAt: new Date(created * SECOND_MS) }
        },
      )
      return { invoices, last: listed.data.at(-1)?.id ?? null, more: listed.has_more }
    },
    async getInvoice(id) {
      const invoice = await ask('read an invoice', wire.invoicePage, () => stripe.invoices.retrieve(id))
      return invoice instanceof PaymentFault
        ? invoice
        : { customerId: invoice.customer, url: invoice.hosted_invoice_url ?? null }
    },
    readMessage(body, signature) {
      if (!isSigned(body, signature ?? '', webhookSecret, clock.now()))
        return refuse('invalid_signature', 'The signature does not fit, or is not of this time.')
      try {
        return toEvent(JSON.parse(body))
      } catch (error) {
        if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error
        // Refused and not passed over: it comes again, also once this installation can read it.
        const problems = error instanceof SyntaxError ? ['is not valid JSON'] : problemsOf(error)
        log.error({ problems }, 'a signed message of Stripe has not the expected form; nothing of it was done')
        return refuseField('body', 'has not the expected form')
      }
    },
    async check() {
      const answer = await ask('look whether requests are taken', wire.list, () => stripe.invoices.list({ limit: 1 }))
      return answer instanceof PaymentFault ? answer : null
    },
    close: () => agent.destroy(),
  }

  /** Those of a list that have the expected form: one that has not must not hide the others. */
  function readable<Shape extends z.ZodType>(
    what: string,
    shape: Shape,
    list: readonly { id: string }[],
  ): z.output<Shape>[] {
    return list.flatMap((one) => {
      const read = shape.safeParse(one)
      if (read.success) return [read.data]
      log.error(
        { call: what, id: one.id, problems: problemsOf(read.error) },
        'something in a list of Stripe has not the expected form',
      )
      return []
    })
  }

  async function chargeSaved(order: ChargeOrder, key: string): Promise<ChargeOutcome | PaymentFault> {
    let declined: string | null = null
    const answer = await ask('charge what was saved', wire.paymentIntent, async () => {
      try {
        return await stripe.paymentIntents.create(chargeParameters(order), { idempotencyKey: key })
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
    // Nobody is there who could be led to another page.
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
    description: 'Earshot balance, charged automatically',
    metadata: wire.labels(workspaceId, 'auto_recharge', { attemptId }),
    ...(receiptEmail === null ? {} : { receipt_email: receiptEmail }),
  }
}

/**
 * What went wrong, without anything of the request: the log must not hold what is written on cards and in addresses.
 */
function faultOf(what: string, error: unknown, log: Log): PaymentFault {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  const fault = new PaymentFault(kindOf(error))
  const { type, code, statusCode, requestId, param } = error
  // A card that is declined is the customer's matter. What is wrong with the request or the key is ours, and goes on
  // until somebody mends it.
  const isOurs =
    fault.kind === 'locked_out' || (fault.kind === 'refused' && !(error instanceof Stripe.errors.StripeCardError))
  log[isOurs ? 'error' : 'warn'](
    { call: what, type, code, status: statusCode, requestId, param },
    'Stripe did not do what was asked',
  )
  return fault
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): FaultKind {
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return error.code === 'resource_missing' ? 'gone' : 'refused'
  if (error instanceof Stripe.errors.StripeAuthenticationError || error instanceof Stripe.errors.StripePermissionError)
    return 'locked_out'
  return error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeIdempotencyError
    ? 'refused'
    : 'unavailable'
}

/** Where an answer is not as expected, without what stands there. */
function problemsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
}

/**
 * The key goes to the address that was set, and never to where that may point on. The function of the platform is no
 * use: it goes through whatever agent the process has, which may be of another version than itself.
 */
function fetcher(dispatcher: Agent): typeof fetch {
  const through: (url: string, init?: RequestInit) => Promise<unknown> = (url, init) =>
    fetchThrough(url, { ...(init as Parameters<typeof fetchThrough>[1]), redirect: 'error', dispatcher })
  return through as typeof fetch
}

function placeOf(apiUrl: string | null): { host?: string; port?: number; protocol?: 'http' | 'https' } {
  if (apiUrl === null) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  const secure = protocol === 'https:'
  return { host: hostname, port: port === '' ? (secure ? 443 : 80) : Number(port), protocol: secure ? 'https' : 'http' }
}
