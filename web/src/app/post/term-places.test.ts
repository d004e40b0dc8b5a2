import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aroundFirstMark, excerptAround, partsOf, placesOf } from './term-places.ts'

test.each<[string, string, string[]]>([
  ['Acme', 'acme and ACME, but not acmeology or acme_x', ['acme', 'ACME']],
  ['C++', 'I like C++ (c++!)', ['C++', 'c++']],
  ['open source', 'open  source, open\n source', ['open  source', 'open\n source']],
  ['e-mail', 'e-mail or email', ['e-mail']],
  ['größe', 'Die GRÖSSE und die Größe', ['Größe']],
  ['.*', 'a .* b', ['.*']],
  ['', 'anything', []],
])('places of %s in %s', (term, text, expected) => {
  expect(placesOf(term, text).map(({ from, to }) => text.slice(from, to))).toEqual(expected)
})

test('parts are the text again, whatever the places are', () => {
  const places = fc.array(fc.record({ from: fc.integer({ min: -5, max: 60 }), to: fc.integer({ min: -5, max: 60 }) }))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), places, (text, given) => {
      const parts = partsOf(text, given)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      expect(parts.every((part) => part.text !== '' && text.startsWith(part.text, part.at))).toBe(true)
    }),
  )
})

test('a row begins shortly before a late mark', () => {
  const text = `${'word '.repeat(60)}acme at last`
  expect(aroundFirstMark(text, 'acme')).toMatch(/^…(word )+acme at last$/)
  expect(aroundFirstMark('acme first', 'acme')).toBe('acme first')
})

test('a long text is cut so that the first place of the term is seen', () => {
  const long = `${'before '.repeat(100)}Acme ${'after '.repeat(100)}`
  expect(excerptAround('short', 'acme', 200)).toBe('short')
  expect(excerptAround(long, 'acme', 200)).toMatch(/^… before .* Acme after .* …$/)
  expect(excerptAround(long, 'acme', 200).length).toBeLessThan(210)
  expect(excerptAround(long, 'nowhere', 200)).toMatch(/^before .* before …$/)
  expect(excerptAround('x'.repeat(500), 'acme', 200)).toBe(`${'x'.repeat(200)} …`)
})
