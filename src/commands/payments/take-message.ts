import { disputeCorrections, disputeKey, refundCorrection, refundedAfter } from '../../domain/payment/corrections.ts'
import type { DisputeEvent, FailedEvent, PaidEvent, PaymentEvent, RefundedEvent } from '../../domain/payment/event.ts'
import { billingNotConfigured, PaymentFault, providerFailed } from '../../domain/payment/fault.ts'
import { AFTER_FAILURE_MS, failureText } from '../../domain/payment/recharge.ts'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { plus } from '../../kernel/clock.ts'
import type { Uuid } from '../../kernel/ids.ts'
import type { Payments } from '../../payments/contract.ts'
import { assertHere } from '../../store/frozen/moved.ts'
import { isForeignCustomer } from '../../store/wallet/billing-customers.ts'
import { storePaymentMethod } from '../../store/wallet/billing-profiles.ts'
import { readBooked } from '../../store/wallet/ledger.ts'
import { findPayer, lockRefunded, notePayment, storeRefunded } from '../../store/wallet/payments.ts'
import { holdOff, turnOff } from '../../store/wallet/recharges.ts'
import type { Services } from '../writing.ts'
import { correctWallet } from './correct-wallet.ts'
import { creditPayment } from './credit-payment.ts'
import { endFailed, endPaid } from './end-recharge.ts'

export interface MessageOutcome {
  became: 'done' | 'heard before' | 'not ours' | 'of no matter'
  about: string | null
}

/** Wallets are in dollars. */
const CURRENCY = 'usd'

/**
 * Repeats, any order and concurrent processes are safe: each payment is credited once, each refund deducted once. After
 * a refusal or an error the provider must send the message again.
 */
export async function takeMessage(
  services: Services,
  body: string,
  signature: string | undefined,
): Promise<
  MessageOutcome | Refusal<'billing_not_configured' | 'invalid_signature' | 'upstream_unavailable' | 'validation_error'>
> {
  const { payments } = services
  if (payments === null) return billingNotConfigured()
  const event = payments.readMessage(body, signature)
  if (isRefusal(event)) return event
  if (event === null) return { became: 'of no matter', about: null }
  return takeEvent(services, payments, event)
}

export async function takeEvent(
  services: Services,
  payments: Payments,
  event: PaymentEvent,
): Promise<MessageOutcome | Refusal<'upstream_unavailable'>> {
  if (event.what === 'refund_failed') {
    const refunded = await payments.refundsOf(event.chargeId, event.asOf)
    if (refunded instanceof PaymentFault) return providerFailed()
    return refunded === null ? { became: 'not ours', about: event.chargeId } : takeEvent(services, payments, refunded)
  }
  const { reference: about } = event
  const workspaceId = await payerOf(services, payments, event)
  if (workspaceId instanceof PaymentFault) return providerFailed()
  if (workspaceId === null || ('currency' in event && event.currency !== CURRENCY)) return { became: 'not ours', about }
  await assertHere(services.db, workspaceId)
  const isNew = await TAKE[event.what](services, workspaceId, event as never)
  if (isNew === null) return { became: 'not ours', about }
  return { became: isNew ? 'done' : 'heard before', about }
}

/** A dispute names only its payment, whose message may come later. */
async function payerOf(
  { db }: Services,
  payments: Payments,
  event: Exclude<PaymentEvent, { what: 'refund_failed' }>,
): Promise<Uuid | null | PaymentFault> {
  if ('workspaceId' in event && event.workspaceId !== null) return event.workspaceId
  const known = await findPayer(db, event.reference)
  return known === null && event.what === 'disputed' ? payments.workspaceOf(event.reference) : known
}

/**
 * Returns whether anything was new, or null for an unknown workspace. Payments are locked before counters and the
 * workspace.
 */
const TAKE = { paid: takePaid, failed: takeFailed, refunded: takeRefunded, disputed: takeDispute } as const

async function takePaid(services: Services, workspaceId: Uuid, paid: PaidEvent): Promise<boolean | null> {
  const { db, clock, log } = services
  if (paid.amount === 0) return false
  return db.transaction(async (tx) => {
    if (paid.customerId !== null && (await isForeignCustomer(tx, workspaceId, paid.customerId))) {
      log.warn(
        { event: 'payment.mismatched', reference: paid.reference, workspaceId },
        'A payment names one workspace and belongs to the customer of another; neither is credited',
      )
      return null
    }
    if (!(await notePayment(tx, workspaceId, paid.reference))) return null
    const isNew = await creditPayment(tx, services, {
      workspaceId,
      kind: paid.kind,
      reference: paid.reference,
      amountCents: paid.amount,
    })
    const { customerId, paymentMethodId, payerId, attemptId } = paid
    // A newer payment method may have been saved since.
    if (paid.kind === 'topup' && customerId !== null && paymentMethodId !== null)
      await storePaymentMethod(tx, workspaceId, { customerId, paymentMethodId, payerId, at: paid.begunAt })
    if (attemptId !== null) await endPaid(tx, { clock }, { workspaceId, attemptId })
    return isNew
  })
}

async function takeFailed(
  { db, ...services }: Services,
  workspaceId: Uuid,
  { attemptId, code }: FailedEvent,
): Promise<boolean> {
  // The paying person sees the failure.
  if (attemptId === null) return false
  await db.transaction((tx) => endFailed(tx, services, { workspaceId, attemptId }, code))
  return true
}

async function takeRefunded(
  services: Services,
  workspaceId: Uuid,
  { reference, amount, asOf }: RefundedEvent,
): Promise<boolean | null> {
  const { db, clock } = services
  return db.transaction(async (tx) => {
    if (!(await notePayment(tx, workspaceId, reference))) return null
    const known = await lockRefunded(tx, workspaceId, reference)
    const after = refundedAfter(known, { cents: amount, asOf })
    await storeRefunded(tx, workspaceId, reference, after)
    const correction = refundCorrection(reference, known, after)
    if (correction === null) return false
    if (!(await correctWallet(tx, services, workspaceId, [correction])))
      throw new Error(`${correction.key} was booked before it was known`)
    // A refunded owner does not want the same card charged a minute later.
    await holdOff(tx, workspaceId, plus(clock.now(), AFTER_FAILURE_MS))
    return true
  })
}

async function takeDispute(services: Services, workspaceId: Uuid, dispute: DisputeEvent): Promise<boolean | null> {
  if (dispute.state === 'asked') return false
  return services.db.transaction(async (tx) => {
    if (!(await notePayment(tx, workspaceId, dispute.reference))) return null
    // Concurrent messages of the dispute must see what was deducted.
    await lockRefunded(tx, workspaceId, dispute.reference)
    const key = disputeKey(dispute)
    const corrections = disputeCorrections(dispute, (await readBooked(tx, workspaceId, [key])).get(key) ?? null)
    const isNew = await correctWallet(tx, services, workspaceId, corrections)
    if (isNew && dispute.state !== 'won') await turnOff(tx, workspaceId, failureText('disputed'))
    return isNew
  })
}
