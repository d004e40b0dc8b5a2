import { PaymentFault } from '../../domain/payment/fault.ts'
import { HELD_MS, needsRecharge, PROCESSING_MS, REPEATABLE_MS } from '../../domain/payment/recharge.ts'
import { plus } from '../../kernel/clock.ts'
import { newUuid, type Uuid } from '../../kernel/ids.ts'
import type { ChargeOutcome, Payments } from '../../payments/contract.ts'
import { findBilledPerson } from '../../queries/payments/find-billed-person.ts'
import type { Transaction } from '../../store/database.ts'
import { noteBegun } from '../../store/wallet/billing-customers.ts'
import { type Attempt, type BillingProfile, forgetPaymentMethod } from '../../store/wallet/billing-profiles.ts'
import { notePayment } from '../../store/wallet/payments.ts'
import { findRecharges, holdAttempt, keepAttempt, lockRechargeable } from '../../store/wallet/recharges.ts'
import { readWallet } from '../../store/wallet/wallets.ts'
import type { Services } from '../writing.ts'
import { creditPayment } from './credit-payment.ts'
import { type EndingRecharge, endCalledOff, endFailed, endPaid } from './end-recharge.ts'
import { keyOf } from './key-of.ts'
import { throughLanes } from './through-lanes.ts'

/**
 * Charges what was saved for every workspace that wants it and whose effective balance is low. An attempt is written
 * down before the provider hears of it, and there is at most one a workspace: whoever finds one without an outcome
 * repeats it in the same words, which charges nobody twice. Answers how many attempts got an outcome.
 */
export async function runAutoRecharges(services: Services): Promise<number> {
  const { db, clock, payments, billing } = services
  if (payments === null || billing === 'unmetered') return 0
  // In another order each time, so that no run begins with the same that failed.
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

/** Answers whether the provider was asked; throws when it did not say what became of it. */
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
  // Where the key of the installation is not taken, that is not for the owner to hear of, and may be mended in a
  // minute.
  if (outcome instanceof PaymentFault && (outcome.kind === 'unavailable' || outcome.kind === 'locked_out'))
    throw new Error(`the payment provider did not answer: ${outcome.kind}`)
  await services.db.transaction((tx) => settle(tx, services, attempt, ending, outcome))
  run.ended += 1
  return true
}

async function settle(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  ending: EndingRecharge,
  outcome: ChargeOutcome | PaymentFault,
): Promise<void> {
  const { workspaceId } = ending
  if (outcome instanceof PaymentFault) {
    // Nothing can be charged that is not there; with the next top-up something will be.
    if (outcome.kind === 'gone') await forgetPaymentMethod(tx, workspaceId, attempt.order.paymentMethodId)
    return endFailed(tx, services, ending, outcome.kind)
  }
  if (outcome.outcome === 'declined') return endFailed(tx, services, ending, outcome.code)
  // Whether the money comes is told by an event, which ends the attempt.
  if (outcome.outcome === 'processing') return keepAttempt(tx, ending, plus(services.clock.now(), PROCESSING_MS))
  const { reference, amountCents } = outcome
  if (!(await notePayment(tx, workspaceId, reference)))
    throw new Error(`payment ${reference} was made for a workspace that is gone`)
  await creditPayment(tx, services, { workspaceId, kind: 'auto_recharge', reference, amountCents })
  await endPaid(tx, services, ending)
}

/** The attempt that is to be made now, held by this process; null when there is none. */
async function begin(tx: Transaction, services: Services, workspaceId: Uuid): Promise<Attempt | null> {
  const at = services.clock.now()
  const profile = await lockRechargeable(tx, workspaceId, at)
  if (profile === null) return null
  if (
    profile.attempt !== null &&
    (!profile.enabled || profile.attempt.order.paymentMethodId !== profile.paymentMethodId)
  ) {
    // Nobody wants it any more, or what it would charge was forgotten or replaced meanwhile, and may be that of
    // somebody who has left. If it was done after all, an event tells, or the payments of its customer.
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

/** Looks at the wallet once more, for somebody may have paid meanwhile. */
async function newAttempt(
  tx: Transaction,
  workspaceId: Uuid,
  profile: BillingProfile,
  at: Date,
): Promise<Attempt | null> {
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
