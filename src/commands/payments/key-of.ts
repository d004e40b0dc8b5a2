import { createHash } from 'node:crypto'

/**
 * The same for the same request, so that the provider does it once however often it is asked; never the same for
 * another.
 */
export function keyOf(...parts: readonly string[]): string {
  return `earshot-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}
