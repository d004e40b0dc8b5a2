import Stripe from 'stripe'
import { SECOND_MS } from '../../kernel/clock.ts'

/** Largest age or lead of a message in seconds, against replays. */
export const TOLERANCE_SECONDS = 300

/** The header holds an instant and signatures of `instant.body`, of which one must match. */
export function isSignedByStripe(body: string, header: string, secret: string, now: Date): boolean {
  if (!hasPlainStamp(header, now)) return false
  try {
    const { signature } = Stripe.webhooks
    return signature?.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime()) === true
  } catch {
    // The library throws several kinds of errors.
    return false
  }
}

/** The library accepts the last of several timestamps and any future time. */
function hasPlainStamp(header: string, now: Date): boolean {
  const stamps = header.split(',').filter((part) => part.startsWith('t='))
  if (stamps.length !== 1 || !/^t=\d{1,12}$/.test(stamps[0]!)) return false
  return Math.abs(now.getTime() / SECOND_MS - Number(stamps[0]!.slice(2))) <= TOLERANCE_SECONDS
}
