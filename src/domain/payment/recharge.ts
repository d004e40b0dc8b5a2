import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { centsToUnits } from '../../kernel/money.ts'
import { effectiveOf, type Wallet } from '../wallet/wallet.ts'
import type { AutoRecharge } from './top-up.ts'

/** Pause after a failure, ended early by changed settings or a manual payment. */
export const AFTER_FAILURE_MS = DAY_MS
/** A recharge that stays below the threshold must not charge every minute. */
export const AFTER_SUCCESS_MS = HOUR_MS
/** How long a slow payment method may take. */
export const PROCESSING_MS = 7 * DAY_MS
/** When another process may repeat a request. Longer than a call takes. */
export const HELD_MS = MINUTE_MS
/** The provider deduplicates for 24 hours. Later an event settles the request, or it was never executed. */
export const REPEATABLE_MS = 23 * HOUR_MS
/** Payments with missing events are queried up to this age; events are repeated for three days. */
export const RECOVERABLE_MS = PROCESSING_MS + 3 * DAY_MS

export function needsRecharge(
  wallet: Pick<Wallet, 'balance' | 'pending'>,
  { thresholdCents }: Pick<AutoRecharge, 'thresholdCents'>,
): boolean {
  return effectiveOf(wallet) < centsToUnits(thresholdCents)
}

const REASONS: Readonly<Record<string, string>> = {
  authentication_required: 'The bank requires confirmation by the card holder. Top up manually.',
  card_declined: 'The card was declined.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'The card has insufficient funds.',
  no_answer: 'The payment provider did not answer.',
  payer_left:
    'The person who saved the payment method no longer manages this workspace. Top up to save ' +
    'another one, then enable auto-recharge again.',
  disputed: 'A payment was disputed. Auto-recharge is off until somebody enables it again.',
}

export function failureText(code: string): string {
  const name = /^[a-z_]{1,60}$/.test(code) ? code : 'failed'
  return `${name}: ${Object.hasOwn(REASONS, name) ? REASONS[name] : 'The payment did not go through.'}`
}
