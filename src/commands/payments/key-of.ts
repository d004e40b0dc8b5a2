import { createHash } from 'node:crypto'

/** An idempotency key: equal for equal requests, never equal for different ones. */
export function keyOf(...parts: readonly string[]): string {
  return `earshot-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}
