/** Stands in the place of a credential where it is not to be shown. */
export const MASK = '(hidden)'

/**
 * Headers by which a receiver knows a request for genuine, in lower case: whoever has one and the body can send both
 * again.
 */
export const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'x-mentions-signature',
  'x-mentions-signature-v2',
  'webhook-signature',
])
