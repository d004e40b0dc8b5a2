import type { FoundPayment, PaymentEvent } from '../../domain/payment/event.ts'
import { PaymentFault } from '../../domain/payment/fault.ts'
import { RECOVERABLE_MS } from '../../domain/payment/recharge.ts'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import type { Payments } from '../../payments/contract.ts'
import { type BegunCustomer, findBegun } from '../../store/wallet/billing-customers.ts'
import { readBooked } from '../../store/wallet/ledger.ts'
import type { Services } from '../writing.ts'
import { paymentKey } from './credit-payment.ts'
import { takeEvent } from './take-message.ts'
import { throughLanes } from './through-lanes.ts'

/**
 * Credits payments whose messages never arrived, since the provider stops sending after some days. Reads the payments
 * of customers with a recent checkout. Returns how many were credited.
 */
export async function recoverPayments(services: Services): Promise<number> {
  const { db, clock, payments } = services
  if (payments === null) return 0
  const since = plus(clock.now(), -RECOVERABLE_MS)
  // Failing customers must not always come first.
  const order = clock.now().getTime()
  const recovery: Recovery = { services, payments, since, recovered: 0 }
  const failures = await throughLanes<BegunCustomer>(
    (after, limit) => findBegun(db, since, { order, after, limit }),
    (customer) => recover(recovery, customer),
  )
  const { recovered } = recovery
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `payments of ${failures.length} customers could not be looked for; ${recovered} were credited`,
    )
  return recovered
}

interface Recovery {
  services: Services
  payments: Payments
  since: Date
  recovered: number
}

/** Throws when the provider did not answer. */
async function recover(recovery: Recovery, { workspaceId, customerId }: BegunCustomer): Promise<boolean> {
  const { services, payments, since } = recovery
  const found = await payments.paymentsOf(customerId, since)
  if (found instanceof PaymentFault && found.kind === 'gone') return true
  if (found instanceof PaymentFault)
    throw new Error(`the payment provider did not say what customer ${customerId} has paid: ${found.kind}`)
  const booked = await readBooked(
    services.db,
    workspaceId,
    found.map(({ paid }) => paymentKey(paid.reference)),
  )
  for (const { paid } of found.filter(({ paid: { reference } }) => !booked.has(paymentKey(reference))))
    if (await take(recovery, paid)) recovery.recovered += 1
  // Also for booked payments: a process may have ended in between.
  for (const payment of found) await takeBack(recovery, payment)
  return true
}

async function takeBack(recovery: Recovery, { paid, refunded, disputed }: FoundPayment): Promise<void> {
  if (paid.workspaceId === null) return
  if (refunded !== null) await take(recovery, refunded)
  const disputes = disputed ? await recovery.payments.disputesOf(paid.reference) : []
  if (disputes instanceof PaymentFault)
    throw new Error(`the payment provider did not say how payment ${paid.reference} is disputed: ${disputes.kind}`)
  for (const dispute of disputes) await take(recovery, dispute)
}

async function take({ services, payments }: Recovery, event: PaymentEvent): Promise<boolean> {
  const outcome = await takeEvent(services, payments, event)
  if (isRefusal(outcome)) throw new Error(`the payment provider did not say whose ${event.what} payment this is`)
  return outcome.became === 'done'
}
