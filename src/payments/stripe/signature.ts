import Stripe from 'stripe'
import { SECOND_MS } from '../../kernel/clock.ts'

/** How old a message may be, or how far ahead, in seconds: an older one may be somebody's recording. */
export const TOLERANCE_SECONDS = 300

/**
 * Whether a message is signed with the secret and of this time. The header holds an instant and one or more signatures
 * of `instant.body`, of which one has to fit; those of other versions count for nothing.
 */
export function isSigned(body: string, header: string, secret: string, now: Date): boolean {
  if (!hasPlainStamp(header, now)) return false
  try {
    const { signature } = Stripe.webhooks
    return signature?.verifyHeader(body, header, secret, TOLERANCE_SECONDS, undefined, now.getTime()) === true
  } catch {
    // The library throws errors of more than one kind where a header is not as it should be.
    return false
  }
}

/** The library takes the last of several stamps, and one of any time to come: both are refused here. */
function hasPlainStamp(header: string, now: Date): boolean {
  const stamps = header.split(',').filter((part) => part.startsWith('t='))
  if (stamps.length !== 1 || !/^t=\d{1,12}$/.test(stamps[0]!)) return false
  return Math.abs(now.getTime() / SECOND_MS - Number(stamps[0]!.slice(2))) <= TOLERANCE_SECONDS
}
