import { expect, test } from 'vitest'
import { explainBody, verdictOf } from './explain-input.ts'

test('one address alone names a stored post, a text with an address is a text', () => {
  expect(explainBody(' https://example.com/a ', 'x')).toEqual({ url: 'https://example.com/a' })
  expect(explainBody('see https://example.com/a', null)).toEqual({ text: 'see https://example.com/a' })
  expect(explainBody('javascript:alert(1)', 'x')).toEqual({ text: 'javascript:alert(1)', platform: 'x' })
})

test('what cannot be decided is neither a match nor a miss', () => {
  expect([true, false, null].map((matched) => verdictOf(matched).verdict)).toEqual(['yes', 'no', 'unknown'])
})
