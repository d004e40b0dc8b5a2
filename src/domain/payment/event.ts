import type { Uuid } from '../../kernel/ids.ts'
import type { PaymentKind } from './top-up.ts'

/**
 * What the payment provider tells, as far as it moves money or settles a recharge. It comes in any order, and more than
 * once.
 */
export type PaymentEvent = PaidEvent | FailedEvent | RefundedEvent | RefundFailedEvent | DisputeEvent

interface OfPayment {
  /** The provider's id of the payment. */
  reference: string
  /** Named by us when the payment was begun; null for what we did not begin, or where it is not said. */
  workspaceId: Uuid | null
}

/** Money has come in. */
export interface PaidEvent extends OfPayment {
  what: 'paid'
  kind: PaymentKind
  /** In the smallest unit of the currency. */
  amount: number
  /** Three letters in lower case. */
  currency: string
  /** The recharge that asked for it. */
  attemptId: Uuid | null
  /** Who paid with what, where that is said. */
  customerId: string | null
  paymentMethodId: string | null
  /** The person for whom the page of payment was opened; null where that is not said. */
  payerId: Uuid | null
  /** When the payment was begun. */
  begunAt: Date
}

/** A payment came to nothing. */
export interface FailedEvent extends OfPayment {
  what: 'failed'
  attemptId: Uuid | null
  /** The provider's name of the reason. */
  code: string
}

/** Part of a payment, or all of it, has gone back. */
export interface RefundedEvent extends OfPayment {
  what: 'refunded'
  /** All that has gone back so far, in the smallest unit of the currency. */
  amount: number
  currency: string
  asOf: Date
}

/** Something did not go back after all; how much has is to be asked. */
export interface RefundFailedEvent {
  what: 'refund_failed'
  chargeId: string
  asOf: Date
}

/** The holder of a card says that a payment was not right, or that was decided. */
export interface DisputeEvent {
  what: 'disputed'
  /** The provider's id of the dispute. */
  id: string
  reference: string
  amount: number
  currency: string
  state: DisputeState
}

/** `asked` takes no money yet; `open` and `lost` have taken it, `won` has given it back. */
export type DisputeState = 'asked' | 'open' | 'won' | 'lost'

/** A payment that came in, and what has become of it, as the provider has it at this moment. */
export interface FoundPayment {
  paid: PaidEvent
  /**
   * Null when nothing has gone back. As of the payment itself: any message of a refund is later, and counts instead.
   */
  refunded: RefundedEvent | null
  disputed: boolean
}
