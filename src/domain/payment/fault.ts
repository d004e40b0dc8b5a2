import { type Refusal, refuse } from '../refusal/refusal.ts'

/**
 * Why the payment provider did not do what it was asked: it was not to be reached, or not able to, and it is not known
 * whether it was done (`unavailable`); it will not, and did not (`refused`); it takes nothing from this installation,
 * whose key is wrong or may not do this (`locked_out`); or what the request names is not there (`gone`).
 */
export type FaultKind = 'unavailable' | 'refused' | 'locked_out' | 'gone'

export class PaymentFault {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    this.kind = kind
  }
}

/** What a caller is told who waits for the provider. Why it refused is for the operator, in the log. */
export function providerFailed(): Refusal<'upstream_unavailable'> {
  return refuse('upstream_unavailable', 'The payment provider did not do what was asked. Try again later.')
}

/** What a caller is told where nothing can be paid. */
export function billingNotConfigured(): Refusal<'billing_not_configured'> {
  return refuse('billing_not_configured', 'Payments are not set up on this installation.')
}
