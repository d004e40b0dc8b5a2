import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../kernel/clock.ts'

/** Carries the signature of a door's own request to a cell. Clients may not send it. */
export const DOOR_HEADER = 'earshot-door'

/** Clocks of door and cell may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60

export interface DoorCall {
  secret: string
  path: string
  body: string
  at: Date
}

/** HMAC-SHA-256 over time, path and body, so that the secret itself never travels. */
export function signCall({ secret, path, body, at }: DoorCall): string {
  const seconds = Math.floor(at.getTime() / SECOND_MS)
  return `${seconds}.${macOf(secret, seconds, path, body).toString('base64url')}`
}

/** False for another secret, path or body, and for a signature that is older than a minute. */
export function isSignedCall({ secret, path, body, at, signature }: DoorCall & { signature: unknown }): boolean {
  const [, digits = '', mac = ''] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(`${signature}`) ?? []
  if (digits === '') return false
  const given = Buffer.from(mac, 'base64url')
  const fits = timingSafeEqual(given, macOf(secret, Number(digits), path, body))
  return fits && Math.abs(at.getTime() / SECOND_MS - Number(digits)) <= CLOCK_TOLERANCE_SECONDS
}

function macOf(secret: string, seconds: number, path: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${seconds}\n${path}\n${body}`).digest()
}
