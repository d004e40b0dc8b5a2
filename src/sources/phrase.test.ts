import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutBetweenWords, phraseOf, WORD_OR_PICTOGRAPH } from './phrase.ts'

describe('a phrase', () => {
  test.each([
    ['acme corp', 'acme corp'],
    ['  say "hi"\\\u0000\n now ', 'say hi now'],
    ['the “Acme” of „Beta‟', 'the Acme of Beta'],
    ['Acme’s', 'Acme’s'],
    ['C++', 'C++'],
    ['日本語', '日本語'],
    ['"+++"', null],
    ['🦊', null],
    ['', null],
  ])('%j is %j', (term, phrase) => {
    expect(phraseOf(term)).toBe(phrase)
  })

  test('loses what the platform cannot take, and is found by what the platform finds', () => {
    expect(phraseOf('[c++] | d', { unquotable: /[[\]|]/g })).toBe('c++ d')
    expect([
      phraseOf('🦊', { searchable: WORD_OR_PICTOGRAPH }),
      phraseOf('!', { searchable: WORD_OR_PICTOGRAPH }),
    ]).toEqual(['🦊', null])
  })

  test('never ends its quotation marks, whatever the term', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (term) => {
        expect(phraseOf(term) ?? 'a').not.toMatch(/["“”„‟\\\p{Cc}]|^\s|\s$|\s\s/u)
      }),
    )
  })
})

test('a phrase is cut between words where it can be, and never within a character', () => {
  expect(cutBetweenWords('aaaa bbbb cccc', 14)).toBe('aaaa bbbb cccc')
  expect(cutBetweenWords('aaaa bbbb cccc', 10)).toBe('aaaa bbbb')
  expect(cutBetweenWords('aaaa bbbb cccc', 9)).toBe('aaaa bbbb')
  expect(cutBetweenWords('aaaabbbbcccc', 10)).toBe('aaaabbbbcc')
  expect(cutBetweenWords('aaa🦊bb', 4)).toBe('aaa')
})
