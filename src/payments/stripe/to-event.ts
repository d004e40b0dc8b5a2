import type {
  DisputeEvent,
  DisputeState,
  FailedEvent,
  FoundPayment,
  PaidEvent,
  PaymentEvent,
  RefundedEvent,
} from '../../domain/payment/event.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import * as wire from './wire.ts'

/**
 * What a message of the provider means here; null for what does not matter. Throws when one that matters has another
 * form.
 */
export function toEvent(content: unknown): PaymentEvent | null {
  const { type, created, data } = wire.message.parse(content)
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return read === undefined ? null : read(data.object, instant(created))
}

/** By type of message. The types are what an operator subscribes the installation to. */
const READERS: Readonly<Record<string, (object: unknown, at: Date) => PaymentEvent | null>> = {
  'checkout.session.completed': paidSession,
  'checkout.session.async_payment_succeeded': paidSession,
  'payment_intent.succeeded': (object) => paidIntent(wire.paymentIntent.parse(object)),
  'payment_intent.payment_failed': failedIntent,
  'charge.refunded': (object, at) => refundsIn(wire.charge.parse(object), at),
  'refund.failed': failedRefund,
  'refund.updated': changedRefund,
  'charge.dispute.created': disputed,
  'charge.dispute.updated': disputed,
  'charge.dispute.funds_withdrawn': disputed,
  'charge.dispute.closed': disputed,
}

export const MESSAGE_TYPES: readonly string[] = Object.keys(READERS)

/**
 * A session without a payment of its own stands for one. Whoever may open pages of payment can name any client
 * reference, so it counts for nothing.
 */
function paidSession(object: unknown): PaidEvent | null {
  const session = wire.session.parse(object)
  if (session.payment_status !== 'paid' || session.amount_total === null || session.currency === null) return null
  return {
    what: 'paid',
    reference: session.payment_intent ?? session.id,
    ...wire.readLabels(session.metadata),
    amount: session.amount_total,
    currency: session.currency,
    customerId: session.customer,
    paymentMethodId: null,
    begunAt: instant(session.created),
  }
}

export function paidIntent(intent: ReturnType<typeof wire.paymentIntent.parse>): PaidEvent {
  return {
    what: 'paid',
    reference: intent.id,
    ...wire.readLabels(intent.metadata),
    amount: intent.amount_received,
    currency: intent.currency,
    customerId: intent.customer ?? null,
    paymentMethodId: intent.payment_method ?? null,
    begunAt: instant(intent.created),
  }
}

/** What a list says of a payment. */
export function foundPayment(intent: ReturnType<typeof wire.listedIntent.parse>): FoundPayment {
  const paid = paidIntent(intent)
  const { reference, workspaceId, currency, begunAt } = paid
  const { amount_refunded: amount = 0, disputed = false } = intent.latest_charge ?? {}
  return {
    paid,
    refunded: amount === 0 ? null : { what: 'refunded', reference, workspaceId, amount, currency, asOf: begunAt },
    disputed,
  }
}

function failedIntent(object: unknown): FailedEvent {
  const intent = wire.paymentIntent.parse(object)
  const { workspaceId, attemptId } = wire.readLabels(intent.metadata)
  return {
    what: 'failed',
    reference: intent.id,
    workspaceId,
    attemptId,
    code: reasonOf(intent.last_payment_error ?? {}),
  }
}

/** The narrower name of a reason where there is one that says more. */
export function reasonOf({
  code,
  decline_code,
}: {
  code?: string | null | undefined
  decline_code?: string | null | undefined
}): string {
  return decline_code === 'insufficient_funds' ? decline_code : (code ?? 'failed')
}

/** Null for a charge that belongs to no payment, which is none of ours. */
export function refundsIn(charge: ReturnType<typeof wire.charge.parse>, asOf: Date): RefundedEvent | null {
  if (charge.payment_intent === null) return null
  const { workspaceId } = wire.readLabels(charge.metadata)
  return {
    what: 'refunded',
    reference: charge.payment_intent,
    workspaceId,
    amount: charge.amount_refunded,
    currency: charge.currency,
    asOf,
  }
}

function failedRefund(object: unknown, asOf: Date): PaymentEvent | null {
  const { charge } = wire.refund.parse(object)
  return charge === null ? null : { what: 'refund_failed', chargeId: charge, asOf }
}

/** One that is called off comes to nothing as one that fails does. */
function changedRefund(object: unknown, asOf: Date): PaymentEvent | null {
  const { status } = wire.refund.parse(object)
  return status === 'canceled' || status === 'failed' ? failedRefund(object, asOf) : null
}

function disputed(object: unknown): PaymentEvent | null {
  return disputeIn(wire.dispute.parse(object))
}

/** Null for one of a charge that belongs to no payment. */
export function disputeIn({
  id,
  payment_intent,
  amount,
  currency,
  status,
}: ReturnType<typeof wire.dispute.parse>): DisputeEvent | null {
  return payment_intent
    ? { what: 'disputed', id, reference: payment_intent, amount, currency, state: stateOf(status) }
    : null
}

/** A warning is a question of the bank that takes nothing, and a prevented dispute never took anything. */
function stateOf(status: string): DisputeState {
  if (status.startsWith('warning_') || status === 'prevented') return 'asked'
  return status === 'won' || status === 'lost' ? status : 'open'
}

function instant(seconds: number): Date {
  return new Date(seconds * SECOND_MS)
}
