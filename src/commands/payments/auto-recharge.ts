import { PaymentFault } from '../../domain/payment/fault.ts'
import { HELD_MS, needsRecharge, PROCESSING_MS, REPEATABLE_MS } from '../../domain/payment/recharge.ts'
import { plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { ChargeOutcome, Payments } from '../../payments/contract.ts'
import { findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import type { Transaction } from '../../store/database.ts'
import { noteBegun } from '../../store/wallet/billing-customers.ts'
import { type BillingProfile, type ChargeAttempt, forgetPaymentMethod } from '../../store/wallet/billing-profiles.ts'
import { notePayment } from '../../store/wallet/payments.ts'
import { findRecharges, holdAttempt, keepAttempt, lockRechargeable } from '../../store/wallet/recharges.ts'
import { readWallet } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { creditPayment } from './credit-payment.ts'
import { type EndingRecharge, endCalledOff, endFailed, endPaid } from './end-recharge.ts'
import { keyOf } from './key-of.ts'
import { throughLanes } from './through-lanes.ts'

/**
 * Charges the payment method of workspaces with a low balance. An attempt is stored before the provider is called, at
 * most one for each workspace, and repeated with the same idempotency key, so nobody is charged twice. Returns how many
 * were settled.
 */
export async function runAutoRecharges(services: Services): Promise<number> {
  const { db, clock, payments, billing } = services
  if (payments === null || billing === 'unmetered') return 0
  // Failing workspaces must not always come first.
  const order = clock.now().getTime()
  const run: Run = { services, payments, ended: 0 }
  const failures = await throughLanes<Uuid>(
    (after, limit) => findRecharges(db, clock.now(), { order, after, limit }),
    (workspaceId) => recharge(run, workspaceId),
  )
  if (failures.length > 0)
    throw new AggregateError(failures, `${run.ended} recharges were settled, the others wait: ${failures[0]}`)
  return run.ended
}

interface Run {
  services: Services
  payments: Payments
  ended: number
}

/** Throws when the outcome is unknown. */
async function recharge(run: Run, workspaceId: Uuid): Promise<boolean> {
  const { services, payments } = run
  const attempt = await services.db.transaction((tx) => begin(tx, services, workspaceId))
  if (attempt === null) return false
  const { id: attemptId, order } = attempt
  const ending: EndingRecharge = { workspaceId, attemptId }
  const outcome = await payments.charge(
    { ...order, workspaceId, attemptId },
    keyOf('auto-recharge', workspaceId, attemptId),
  )
  // A rejected API key is not the owner's problem.
  if (outcome instanceof PaymentFault && (outcome.kind === 'unavailable' || outcome.kind === 'locked_out'))
    throw new Error(`the payment provider did not answer: ${outcome.kind}`)
  await services.db.transaction((tx) => settle(tx, services, attempt, ending, outcome))
  run.ended += 1
  return true
}

async function settle(
  tx: Transaction,
  services: Services,
  attempt: ChargeAttempt,
  ending: EndingRecharge,
  outcome: ChargeOutcome | PaymentFault,
): Promise<void> {
  const { workspaceId } = ending
  if (outcome instanceof PaymentFault) {
    // Without a payment method nothing can be charged until the next top-up saves one.
    if (outcome.kind === 'gone') await forgetPaymentMethod(tx, workspaceId, attempt.order.paymentMethodId)
    return endFailed(tx, services, ending, outcome.kind)
  }
  if (outcome.outcome === 'declined') return endFailed(tx, services, ending, outcome.code)
  // An event ends the attempt later.
  if (outcome.outcome === 'processing') return keepAttempt(tx, ending, plus(services.clock.now(), PROCESSING_MS))
  const { reference, amountCents } = outcome
  if (!(await notePayment(tx, workspaceId, reference)))
    throw new Error(`payment ${reference} was made for a workspace that is gone`)
  await creditPayment(tx, services, { workspaceId, kind: 'auto_recharge', reference, amountCents })
  await endPaid(tx, services, ending)
}

async function begin(tx: Transaction, services: Services, workspaceId: Uuid): Promise<ChargeAttempt | null> {
  const at = services.clock.now()
  const profile = await lockRechargeable(tx, workspaceId, at)
  if (profile === null) return null
  if (
    profile.attempt !== null &&
    (!profile.enabled || profile.attempt.order.paymentMethodId !== profile.paymentMethodId)
  ) {
    // Turned off, or the method was replaced and may belong to somebody who left. If the charge succeeded after all, an
    // event or the customer's payments will show it.
    await endCalledOff(tx, services, { workspaceId, attemptId: profile.attempt.id })
    return null
  }
  if (profile.attempt !== null && plus(profile.attempt.begunAt, REPEATABLE_MS) <= at) {
    await endFailed(tx, services, { workspaceId, attemptId: profile.attempt.id }, 'no_answer')
    return null
  }
  const attempt = profile.attempt ?? (await newAttempt(tx, workspaceId, profile, at))
  if (attempt === null) return null
  await holdAttempt(tx, workspaceId, attempt, plus(at, HELD_MS))
  await noteBegun(tx, workspaceId, attempt.order.customerId, at)
  return attempt
}

/** Somebody may have paid meanwhile. */
async function newAttempt(
  tx: Transaction,
  workspaceId: Uuid,
  profile: BillingProfile,
  at: Date,
): Promise<ChargeAttempt | null> {
  const { customerId, paymentMethodId, amountCents } = profile
  if (customerId === null || paymentMethodId === null || !needsRecharge(await readWallet(tx, workspaceId), profile))
    return null
  const owner = await findBilledPerson(tx, workspaceId)
  return {
    id: newUuid(at),
    order: { customerId, paymentMethodId, amountCents, receiptEmail: owner?.email ?? null },
    begunAt: at,
  }
}
