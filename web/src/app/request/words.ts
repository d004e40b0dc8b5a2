export const words = {
  signatures: { valid: 'Signature valid', invalid: 'Signature invalid', unknown: 'Signature not checked' },
  headers: 'Headers',
  body: 'Body',
  bodyCut: 'The body is cut.',
}
