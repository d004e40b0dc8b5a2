import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { centsToUnits } from '../../kernel/money.ts'
import { effectiveOf, type Wallet } from '../wallet/wallet.ts'
import type { AutoRecharge } from './top-up.ts'

/** Pause after a failure, ended early by changed settings or a manual payment. */
export const AFTER_FAILURE_MS = DAY_MS
/** Keeps a recharge below the threshold from charging a card every minute. */
export const AFTER_SUCCESS_MS = HOUR_MS
/** How long a slow payment method may take. */
export const PROCESSING_MS = 7 * DAY_MS
/** How long a process holds its request to the provider before another may repeat it. Longer than a call takes. */
export const HELD_MS = MINUTE_MS
/**
 * The provider deduplicates requests for 24 hours. A request unanswered by then is settled by an event, or was never
 * executed.
 */
export const REPEATABLE_MS = 23 * HOUR_MS
/** How long a payment is queried when its events are missing: the provider repeats events for three days. */
export const RECOVERABLE_MS = PROCESSING_MS + 3 * DAY_MS

export function needsRecharge(
  wallet: Pick<Wallet, 'balance' | 'pending'>,
  { thresholdCents }: Pick<AutoRecharge, 'thresholdCents'>,
): boolean {
  return effectiveOf(wallet) < centsToUnits(thresholdCents)
}

const REASONS: Readonly<Record<string, string>> = {
  authentication_required: 'The bank wants the card holder to confirm the payment. Top up by hand.',
  card_declined: 'The card was declined.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'There is not enough money on the card.',
  no_answer: 'The payment provider did not answer.',
  payer_left:
    'Whoever had paid by it does not manage this workspace any more. Top up to save another payment method, and ' +
    'turn it on again.',
  disputed: 'A payment was disputed. Nothing is charged automatically before somebody turns it on again.',
}

/** The provider's code and the reason, for people. */
export function failureText(code: string): string {
  const name = /^[a-z_]{1,60}$/.test(code) ? code : 'failed'
  return `${name}: ${Object.hasOwn(REASONS, name) ? REASONS[name] : 'The payment did not go through.'}`
}
