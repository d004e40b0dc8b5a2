import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText, excerpt, ownCopy, textHash, truncateBytes, webAddress } from './text.ts'

/** Texts with everything that makes texts hard: wide characters, half pairs, marks, controls, odd line ends. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\ud83e\udd8a',
        '\ud83e',
        '\udd8a',
        'e\u0301',
        '\r\n',
        '\r',
        '\u0000',
        '\u007f',
        '\t',
        ' ',
        '\u00a0',
        '\u3000',
        '漢字',
        'ß',
      ),
    ),
  )
  .map((parts) => parts.join(''))

describe('cleanText', () => {
  test('leaves nothing to clean', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const clean = cleanText(text)
        expect(cleanText(clean)).toBe(clean)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).toBe(clean.normalize('NFC'))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the promise
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]|^\s|\s$/)
      }),
    )
  })

  test('keeps lines and tabs', () => {
    expect(cleanText(' one\r\ntwo\rthree\n\n\tfour\u0000\u001b[1m ')).toBe('one\ntwo\nthree\n\n\tfour[1m')
  })

  test('composes letters and repairs half surrogates', () => {
    expect(cleanText('Cafe\u0301 \ud83e!')).toBe('Caf\u00e9 \ufffd!')
  })
})

test('cleanLine leaves one line without doubled spaces, and nothing to clean', () => {
  expect(cleanLine('  a \r\n\t b\u2028c\u00a0d ')).toBe('a b c d')
  fc.assert(
    fc.property(texts, (text) => {
      const line = cleanLine(text)
      expect(line).not.toMatch(/[^\S ]| {2}|^ | $/)
      expect(cleanLine(line)).toBe(line)
    }),
  )
})

describe('truncateBytes', () => {
  test('gives the longest start that fits and never half a character', () => {
    fc.assert(
      fc.property(
        texts.map((text) => text.toWellFormed()),
        fc.nat(40),
        (text, max) => {
          const cut = truncateBytes(text, max)
          expect(text.startsWith(cut)).toBe(true)
          expect(cut.isWellFormed()).toBe(true)
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(max)
          const next = [...text.slice(cut.length)][0]
          if (next !== undefined) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(max)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['🦊🦊', 8, '🦊🦊'],
    ['🦊🦊', 7, '🦊'],
    ['🦊🦊', 3, ''],
    ['aß', 2, 'a'],
    ['aß', 3, 'aß'],
    ['', 0, ''],
  ])('%j within %i bytes is %j', (text, max, cut) => {
    expect(truncateBytes(text, max)).toBe(cut)
  })
})

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['🦊🦊🦊', 3, '🦊🦊🦊'],
  ['🦊🦊🦊🦊', 3, '🦊🦊…'],
  ['ab', 1, '…'],
])('the excerpt of %j in %i characters is %j', (text, max, shown) => {
  expect(excerpt(text, max)).toBe(shown)
})

test.each([
  ['https://Acme.com', 'https://acme.com/'],
  ['HTTP://acme.com/a b', 'http://acme.com/a%20b'],
  ['ftp://acme.com/', null],
  ['javascript:alert(1)', null],
  ['acme.com', null],
  ['https://', null],
  ['https://[', null],
])('the web address in %j is %j', (text, address) => {
  expect(webAddress(text)).toBe(address)
})

test('ownCopy is the same text', () => {
  fc.assert(fc.property(texts.map(cleanText), (text) => ownCopy(text) === text))
})

test('textHash is the same for the same text, fits 30 bits, and hardly ever the same for others', () => {
  const hashes = Array.from({ length: 2000 }, (_, number) => textHash(`keyword ${number} post ${number * 7}`))
  expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 30)).toBe(true)
  expect(new Set(hashes).size).toBeGreaterThan(1990)
  expect(textHash('keyword 5 post 35')).toBe(hashes[5])
})
