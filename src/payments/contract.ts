import type { DisputeEvent, FoundPayment, PaymentEvent, RefundedEvent } from '../domain/payment/event.ts'
import type { PaymentFault } from '../domain/payment/fault.ts'
import type { InvoiceList, InvoicePage } from '../domain/payment/invoice.ts'
import type { Refusal } from '../domain/refusal/refusal.ts'
import type { Uuid } from '../kernel/ids.ts'

/**
 * The payment provider of an installation. What it answers is checked before it is handed on, and no call takes longer
 * than PAYMENT_LIMIT_MS. Calls that make something take a key: the same key and the same words do it once a day.
 */
export interface Payments {
  /** Makes the workspace known as a customer and answers the provider's id of it. */
  createCustomer(customer: NewCustomer, key: string): Promise<string | PaymentFault>
  /** Lets the customer be known by this address from now on, and answers the customer's id. */
  updateCustomer(customerId: string, change: { email: string }): Promise<string | PaymentFault>
  /** Opens a page on which a person pays, and answers its address. `gone` when there is no such customer any more. */
  openCheckout(checkout: Checkout, key: string): Promise<string | PaymentFault>
  /** Charges what was saved with an earlier payment, without the person. */
  charge(order: ChargeOrder, key: string): Promise<ChargeOutcome | PaymentFault>
  /** What a customer has paid of what was begun since then, at most PAYMENTS_MAX of it, the latest. */
  paymentsOf(customerId: string, since: Date): Promise<FoundPayment[] | PaymentFault>
  /** The disputes of a payment as they stand now. */
  disputesOf(reference: string): Promise<DisputeEvent[] | PaymentFault>
  /** For whom a payment was made; null when it is none of ours. */
  workspaceOf(reference: string): Promise<Uuid | null | PaymentFault>
  /** How much of a charge has gone back by now; null when it is none of ours. */
  refundsOf(chargeId: string, asOf: Date): Promise<RefundedEvent | null | PaymentFault>
  /** Invoices of a customer, newest first, after one of them. */
  listInvoices(customerId: string, page: { limit: number; after: string | null }): Promise<InvoiceList | PaymentFault>
  getInvoice(id: string): Promise<InvoicePage | PaymentFault>
  /**
   * What the provider tells in a message, whose signature and age are checked first; null for what does not matter
   * here. Throws when a message that matters does not have the expected form.
   */
  readMessage(
    body: string,
    signature: string | undefined,
  ): PaymentEvent | null | Refusal<'invalid_signature' | 'validation_error'>
  /** Whether requests are taken, for the operator: null when they are. */
  check(): Promise<PaymentFault | null>
  /** Ends what is being asked, as if there were no answer. */
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
  /** Whose means of payment it will be. */
  payerId: Uuid
  customerId: string
  /** In US cents. */
  amountCents: number
  /** Where the browser goes once it is paid, and where when the person turns back. */
  successUrl: string
  cancelUrl: string
}

export interface ChargeOrder {
  workspaceId: Uuid
  attemptId: Uuid
  customerId: string
  paymentMethodId: string
  amountCents: number
  /** Who gets a receipt; null for nobody. */
  receiptEmail: string | null
}

/** `processing` will be told by an event; `declined` names the provider's reason. */
export type ChargeOutcome =
  | { outcome: 'paid'; reference: string; amountCents: number }
  | { outcome: 'processing' }
  | { outcome: 'declined'; code: string }
