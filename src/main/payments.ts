import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Payments } from '../payments/contract.ts'
import type { Settings } from './settings.ts'

/** Null without a provider, whose library is then not loaded. */
export async function paymentsOf(
  { stripe }: Pick<Settings, 'stripe'>,
  clock: Clock,
  log: Log,
): Promise<Payments | null> {
  if (stripe === null) return null
  const { createStripePayments } = await import('../payments/stripe/stripe.ts')
  return createStripePayments({ ...stripe, clock, log })
}
