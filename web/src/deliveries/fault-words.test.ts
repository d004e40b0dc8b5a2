import { expect, test } from 'vitest'
import { faultInWords } from './fault-words.ts'

test.each([
  ['status 503', 'The receiver answered 503: it is at fault or down.'],
  ['status 410', 'The receiver answered 410: it no longer wants deliveries at the address.'],
  ['status 418', 'The receiver answered 418: it refuses the request.'],
  ['status 302', 'The receiver answered 302: it redirects, and redirects are not followed; enter the final address.'],
  ['status 600', 'The receiver answered 600.'],
  ['The mention is done.', 'The mention is done.'],
])('%s', (fault, words) => {
  expect(faultInWords(fault)).toBe(words)
})
