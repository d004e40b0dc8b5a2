import type { Uuid } from '../../kernel/ids.ts'
import type { PaymentKind } from './top-up.ts'

/** Events that move money or settle a recharge, in any order and repeated. */
export type PaymentEvent = PaidEvent | FailedEvent | RefundedEvent | RefundFailedEvent | DisputeEvent

interface OfPayment {
  /** The provider's id of the payment. */
  reference: string
  /** Set by us at the start of a payment; null for other payments or when absent. */
  workspaceId: Uuid | null
}

export interface PaidEvent extends OfPayment {
  what: 'paid'
  kind: PaymentKind
  /** In the smallest unit of the currency. */
  amount: number
  /** Three lower-case letters. */
  currency: string
  /** The recharge behind the payment. */
  attemptId: Uuid | null
  customerId: string | null
  paymentMethodId: string | null
  /** The person who opened the payment page; null when absent. */
  payerId: Uuid | null
  begunAt: Date
}

export interface FailedEvent extends OfPayment {
  what: 'failed'
  attemptId: Uuid | null
  code: string
}

export interface RefundedEvent extends OfPayment {
  what: 'refunded'
  /** The total refunded so far, in the smallest unit of the currency. */
  amount: number
  currency: string
  asOf: Date
}

/** A refund failed; the refunded total must be queried. */
export interface RefundFailedEvent {
  what: 'refund_failed'
  chargeId: string
  asOf: Date
}

export interface DisputeEvent {
  what: 'disputed'
  id: string
  reference: string
  amount: number
  currency: string
  state: DisputeState
}

/** `asked` takes no money yet; `open` and `lost` have taken it, `won` has returned it. */
export type DisputeState = 'asked' | 'open' | 'won' | 'lost'

/** A payment and its present state at the provider. */
export interface FoundPayment {
  paid: PaidEvent
  /** Null without refunds. Dated as the payment, so that any refund event is newer and wins. */
  refunded: RefundedEvent | null
  disputed: boolean
}
