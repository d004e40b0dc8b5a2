import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { centsToUnits } from '../../kernel/money.ts'
import { effectiveOf, type Wallet } from '../wallet/wallet.ts'
import type { AutoRecharge } from './top-up.ts'

/** After a failure nothing is charged for this long, unless somebody changes the settings or pays by hand. */
export const AFTER_FAILURE_MS = DAY_MS
/** A recharge that does not lift the balance above the threshold must not charge a card every minute. */
export const AFTER_SUCCESS_MS = HOUR_MS
/** Some ways of paying take days to say whether they went well; so long that is waited for. */
export const PROCESSING_MS = 7 * DAY_MS
/**
 * So long one process asks the provider; another one may ask the same again afterwards. Longer than a call may take.
 */
export const HELD_MS = MINUTE_MS
/**
 * The provider knows a repeated request for 24 hours. What is not answered by then is told by an event, or was never
 * done.
 */
export const REPEATABLE_MS = 23 * HOUR_MS
/**
 * So long after it was begun a payment is asked for, should its messages never have come: they are repeated for three
 * days, after the slowest way of paying.
 */
export const RECOVERABLE_MS = PROCESSING_MS + 3 * DAY_MS

/** Whether the effective balance of a wallet has fallen below what its owner wants to be there. */
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

/** Why a recharge came to nothing, for people, with the provider's name of the reason before it. */
export function failureText(code: string): string {
  const name = /^[a-z_]{1,60}$/.test(code) ? code : 'failed'
  return `${name}: ${Object.hasOwn(REASONS, name) ? REASONS[name] : 'The payment did not go through.'}`
}
