export const HIDDEN_VALUE = '(hidden)'

/** With one of these headers and the body anybody can replay the request. */
export const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'x-mentions-signature',
  'x-mentions-signature-v2',
  'webhook-signature',
])
