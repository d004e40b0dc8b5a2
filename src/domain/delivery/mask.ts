export const MASK = '(hidden)'

/** Lower-case headers that authenticate a request: with one of them and the body anybody can replay it. */
export const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'x-mentions-signature',
  'x-mentions-signature-v2',
  'webhook-signature',
])
