import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../kernel/clock.ts'

/** How old a message may be, or how far ahead, in seconds: an older one may be somebody's recording. */
export const TOLERANCE_SECONDS = 300

/**
 * Whether a message is signed with the secret and of this time. The header holds an instant and one or more signatures
 * of `instant.body`, of which one has to fit; those of other versions count for nothing.
 */
export function isSigned(body: string, header: string, secret: string, now: Date): boolean {
  const parts = header.split(',').map((part) => part.split('=').map((side) => side.trim()))
  const stamps = parts.filter(([name]) => name === 't').map(([, value]) => value ?? '')
  const stamp = stamps.length === 1 ? stamps[0]! : ''
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(now.getTime() / SECOND_MS - Number(stamp)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${stamp}.${body}`).digest()
  return parts.some(
    ([name, value, ...rest]) =>
      name === 'v1' &&
      rest.length === 0 &&
      /^[0-9a-f]{64}$/.test(value ?? '') &&
      timingSafeEqual(Buffer.from(value!, 'hex'), expected),
  )
}
