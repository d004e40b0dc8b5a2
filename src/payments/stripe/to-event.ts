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

/** Null without meaning here. Throws if a message with meaning has another form. */
export function toEvent(content: unknown): PaymentEvent | null {
  const { type, created, data } = wire.message.parse(content)
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return read === undefined ? null : read(data.object, instant(created))
}

/** By message type. The operator subscribes the installation to these types. */
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
 * A session without a payment stands for one. The client reference is ignored: anybody who opens a payment page can set
 * it.
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

export function reasonOf({
  code,
  decline_code,
}: {
  code?: string | null | undefined
  decline_code?: string | null | undefined
}): string {
  return decline_code === 'insufficient_funds' ? decline_code : (code ?? 'failed')
}

/** Null for a charge without a payment, which is not ours. */
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

/** A canceled refund counts as failed. */
function changedRefund(object: unknown, asOf: Date): PaymentEvent | null {
  const { status } = wire.refund.parse(object)
  return status === 'canceled' || status === 'failed' ? failedRefund(object, asOf) : null
}

function disputed(object: unknown): PaymentEvent | null {
  return disputeIn(wire.dispute.parse(object))
}

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

/** A warning is an inquiry of the bank without a withdrawal, and a prevented dispute withdrew nothing. */
function stateOf(status: string): DisputeState {
  if (status.startsWith('warning_') || status === 'prevented') return 'asked'
  return status === 'won' || status === 'lost' ? status : 'open'
}

function instant(seconds: number): Date {
  return new Date(seconds * SECOND_MS)
}
