import type { Uuid } from '../../kernel/ids.ts'
import type { PaymentKind } from './top-up.ts'

/** Events arrive in any order and repeatedly. */
export type PaymentEvent = PaidEvent | FailedEvent | RefundedEvent | RefundFailedEvent | DisputeEvent

interface OfPayment {
  reference: string
  /** Null for payments begun elsewhere. */
  workspaceId: Uuid | null
}

export interface PaidEvent extends OfPayment {
  what: 'paid'
  kind: PaymentKind
  /** Smallest unit of the currency. */
  amount: number
  /** Three lower-case letters. */
  currency: string
  attemptId: Uuid | null
  customerId: string | null
  paymentMethodId: string | null
  /** Who opened the payment page. */
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
  /** In total, smallest unit of the currency. */
  amount: number
  currency: string
  asOf: Date
}

/** The refunded total must be queried. */
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

export interface FoundPayment {
  paid: PaidEvent
  /** Dated as the payment, so that any refund event is newer. */
  refunded: RefundedEvent | null
  disputed: boolean
}
