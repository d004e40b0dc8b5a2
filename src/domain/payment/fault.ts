import { type Refusal, refuse } from '../refusal/refusal.ts'

/**
 * `unavailable`: maybe executed. `refused`: not executed. `locked_out`: our key is wrong or lacks a permission. `gone`:
 * no such object.
 */
export type PaymentFaultKind = 'unavailable' | 'refused' | 'locked_out' | 'gone'

export class PaymentFault {
  readonly kind: PaymentFaultKind

  constructor(kind: PaymentFaultKind) {
    this.kind = kind
  }
}

/** The caller is not told the reason; the log has it. */
export function providerFailed(): Refusal<'upstream_unavailable'> {
  return refuse('upstream_unavailable', 'The payment provider refused the request. Try again later.')
}

export function billingNotConfigured(): Refusal<'billing_not_configured'> {
  return refuse('billing_not_configured', 'Payments are not set up on this installation.')
}
