import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutAccents } from './accents.ts'
import { foldedForm } from './fold.ts'
import { searchTerms, searchWords, tokens } from './index.ts'

describe('the words of a search', () => {
  test.each([
    ['Música', 'musica'],
    ['naïve café', 'naive cafe'],
    ['STRASSE Straße', 'strasse'],
    ['Łódź Đà Nẵng', 'lodz da nang'],
    ['Kraków smørrebrød', 'krakow smorrebrod'],
    ['Ærø œuvre', 'aero oeuvre'],
    ['İstanbul ISTANBUL ıstanbul', 'istanbul'],
    ['Αθήνα ΑΘΗΝΑ', 'αθηνα'],
    ['ещё еще', 'еще'],
    ['за́мок', 'замок'],
  ])('%j are those of %j', (typed, plain) => {
    expect(searchWords([typed])).toEqual(plain.split(' '))
  })

  test.each([
    ['мой', 'мои'],
    ['їжак', 'іжак'],
    ['ќерка', 'керка'],
    ['हिंदी', 'हद'],
    ['がく', 'かく'],
    ['เก่า', 'เกา'],
    ['שָׁלוֹם', 'שלום'],
  ])(
    '%j is another word than %j: its marks make another letter, or its script has vowels and points of them',
    (first, second) => {
      expect(searchWords([first])).not.toEqual(searchWords([second]))
    },
  )

  test('are each there once, however they are written, and of several texts together', () => {
    expect(searchWords(['Café cafe', 'CAFÉ au lait'])).toEqual(['cafe', 'au', 'lait'])
  })

  test('count up to their fortieth unit, and never end in half a character', () => {
    expect(searchWords(['a'.repeat(100)])).toEqual(['a'.repeat(40)])
    const [word] = searchWords([`a${'𐐷'.repeat(40)}`])
    expect([word!.length, word!.isWellFormed()]).toEqual([39, true])
  })

  test('have a form that does not change again, and that is one token as well', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        for (const token of tokens(text)) {
          const word = withoutAccents(token)
          expect(withoutAccents(word)).toBe(word)
          expect(tokens(word).join('')).toBe(foldedForm(word))
        }
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the terms of a question', () => {
  const terms = (question: string) => searchTerms(question, 3).map(({ word, begins }) => `${word}${begins ? '*' : ''}`)

  test.each([
    ['goog*', ['goog*']],
    ['Músi* de Björk*', ['musi*', 'de', 'bjork*']],
    ['goog＊', ['goog*']],
    ['goog *', ['goog']],
    ['goog-*', ['goog']],
    ['open-sour*', ['open', 'sour*']],
    ['"new york ti*mes"', ['new', 'york', 'ti', 'mes']],
    ['go*', ['go']],
    ['火箭*', ['火', '箭']],
    ['火箭rocke*', ['火', '箭', 'rocke*']],
    ['* **', []],
    ['goog goog*', ['goog', 'goog*']],
    [`${'a'.repeat(60)}*`, ['a'.repeat(40)]],
  ])('%j are %j', (question, expected) => {
    expect(terms(question)).toEqual(expected)
  })

  test('without an asterisk they are the words of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll(/[*＊﹡]/gu, ' ')
        expect(terms(plain)).toEqual(searchWords([plain]))
      }),
    )
  })
})
