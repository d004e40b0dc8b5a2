import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTerm, holdsTerm } from './index.ts'
import { randomText, termFrom } from './random-text.suite.ts'

const MOST = 50
const slices = (text: string, term: string, caseSensitive = false) =>
  findTerm(text, term, { caseSensitive, most: MOST }).map(({ from, to }) => text.slice(from, to))

test.each([
  ['case', 'ACME and Acme', 'acme', ['ACME', 'Acme']],
  ['full width', 'We like Ａｃｍｅ!', 'acme', ['Ａｃｍｅ']],
  ['combining marks', 'Un cafe\u0301, deux caf\u00e9s', 'café', ['cafe\u0301']],
  ['an emoji before', '👩‍💻🎉 acme', 'acme', ['acme']],
  ['an emoji as the term', 'I ❤\ufe0f it', '❤', ['❤\ufe0f']],
  ['hashtag and handle', '#acme by @Acme', 'acme', ['acme', 'Acme']],
  ['possessive', 'Acme’s', 'acme', ['Acme']],
  ['an address in the text', 'see https://www.acme.com/a', 'acme.com', ['acme.com']],
  ['a gap', 'Open \n—  Source, open-source', 'open source', ['Open \n—  Source', 'open-source']],
  ['a hyphen in the gap', 'jack  –  jones', 'jack - jones', ['jack  –  jones']],
  ['symbols', 'C++, c++11, .NET', 'c++', ['C++', 'c++']],
  ['symbols at the start', 'on .NET, on ASP.NET', '.net', ['.NET', '.NET']],
  ['letters that expand', 'STRASSE und Straße', 'straße', ['STRASSE', 'Straße']],
  ['a ligature', 'the ﬁrst', 'first', ['ﬁrst']],
  ['an invisible character', 'ac\u00adme', 'acme', ['ac\u00adme']],
  ['a script without spaces', '我喜欢东京塔和东京', '东京', ['东京', '东京']],
  ['longer words', 'acmes xacme acme_x', 'acme', []],
  ['overlaps', 'a a a a', 'a a', ['a a', 'a a']],
])('%s', (_, text, term, found) => {
  expect(slices(text, term)).toEqual(found)
})

test('a term whose case counts is found as it is typed', () => {
  expect(slices('next NEXT Next ＮＥＸＴ', 'NEXT', true)).toEqual(['NEXT', 'ＮＥＸＴ'])
})

test('no more places than wanted', () => {
  expect(findTerm('acme '.repeat(99), 'acme', { caseSensitive: false, most: MOST })).toHaveLength(MOST)
})

test('places are found exactly in texts that hold the term, in order, and each slice holds the term', () => {
  const cases = randomText(24).chain((text) => fc.tuple(fc.constant(text), termFrom(text), fc.boolean()))
  let found = 0
  fc.assert(
    fc.property(cases, ([text, term, caseSensitive]) => {
      const places = findTerm(text, term, { caseSensitive, most: MOST })
      expect(places.length > 0).toBe(holdsTerm(text, term, { caseSensitive }))
      let before = 0
      for (const { from, to } of places) {
        expect(from).toBeGreaterThanOrEqual(before)
        expect(to).toBeGreaterThan(from)
        expect(holdsTerm(text.slice(from, to), term, { caseSensitive })).toBe(true)
        before = to
      }
      found += places.length
    }),
    { numRuns: 5000 },
  )
  expect(found).toBeGreaterThan(1000)
})
