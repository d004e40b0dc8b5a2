import type { DisputeEvent, FoundPayment, PaymentEvent, RefundedEvent } from '../domain/payment/event.ts'
import type { PaymentFault } from '../domain/payment/fault.ts'
import type { InvoiceList, InvoicePage } from '../domain/payment/invoice.ts'
import type { Refusal } from '../domain/refusal/refusal.ts'
import type { Uuid } from '../kernel/ids.ts'

/**
 * The payment provider of an installation. Answers are validated, and no call takes longer than PAYMENT_LIMIT_MS. Calls
 * that create something take an idempotency key, valid for a day with the same content.
 */
export interface Payments {
  /** Returns the provider's id of the new customer. */
  createCustomer(customer: NewCustomer, key: string): Promise<string | PaymentFault>
  /** Changes the customer's address and returns the customer's id. */
  updateCustomer(customerId: string, change: { email: string }): Promise<string | PaymentFault>
  /** Opens a payment page and returns its address. `gone` if the customer no longer exists. */
  openCheckout(checkout: Checkout, key: string): Promise<string | PaymentFault>
  /** Charges the saved means of payment without the person. */
  charge(order: ChargeOrder, key: string): Promise<ChargeOutcome | PaymentFault>
  /** The latest payments of a customer that began since then, at most PAYMENTS_MAX. */
  paymentsOf(customerId: string, since: Date): Promise<FoundPayment[] | PaymentFault>
  disputesOf(reference: string): Promise<DisputeEvent[] | PaymentFault>
  /** The workspace of a payment; null if the payment is not ours. */
  workspaceOf(reference: string): Promise<Uuid | null | PaymentFault>
  /** The refunded amount of a charge; null if the charge is not ours. */
  refundsOf(chargeId: string, asOf: Date): Promise<RefundedEvent | null | PaymentFault>
  /** Newest first, after the given invoice. */
  listInvoices(customerId: string, page: { limit: number; after: string | null }): Promise<InvoiceList | PaymentFault>
  getInvoice(id: string): Promise<InvoicePage | PaymentFault>
  /**
   * Verifies signature and age of a message and reads its event; null for an event without meaning here. Throws if a
   * message with meaning has an unexpected form.
   */
  readMessage(
    body: string,
    signature: string | undefined,
  ): PaymentEvent | null | Refusal<'invalid_signature' | 'validation_error'>
  /** Whether the provider accepts requests, for the operator; null if so. */
  check(): Promise<PaymentFault | null>
  /** Aborts calls in flight, as if they had no answer. */
  close(): Promise<void>
}

export const PAYMENT_LIMIT_MS = 10_000
export const PAYMENTS_MAX = 100

export interface NewCustomer {
  workspaceId: Uuid
  email: string
}

export interface Checkout {
  workspaceId: Uuid
  /** The owner of the saved means of payment. */
  payerId: Uuid
  customerId: string
  amountCents: number
  /** The browser's target after payment, and after the person cancels. */
  successUrl: string
  cancelUrl: string
}

export interface ChargeOrder {
  workspaceId: Uuid
  attemptId: Uuid
  customerId: string
  paymentMethodId: string
  amountCents: number
  receiptEmail: string | null
}

/** An event reports the end of `processing`; `declined` has the provider's reason. */
export type ChargeOutcome =
  | { outcome: 'paid'; reference: string; amountCents: number }
  | { outcome: 'processing' }
  | { outcome: 'declined'; code: string }
