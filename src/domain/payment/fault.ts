import { type Refusal, refuse } from '../refusal/refusal.ts'

/**
 * `unavailable`: unreachable or failing, and the request may have been executed. `refused`: not executed. `locked_out`:
 * our key is wrong or lacks a permission. `gone`: the named object does not exist.
 */
export type FaultKind = 'unavailable' | 'refused' | 'locked_out' | 'gone'

export class PaymentFault {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    this.kind = kind
  }
}

/** The reason is for the operator, in the log. */
export function providerFailed(): Refusal<'upstream_unavailable'> {
  return refuse('upstream_unavailable', 'The payment provider did not do what was asked. Try again later.')
}

export function billingNotConfigured(): Refusal<'billing_not_configured'> {
  return refuse('billing_not_configured', 'Payments are not set up on this installation.')
}
