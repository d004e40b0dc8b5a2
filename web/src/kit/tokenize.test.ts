import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Language, tokenize } from './tokenize.ts'

function kinds(code: string, language: Language): string[] {
  return tokenize(code, language)
    .filter((token) => token.kind !== 'plain')
    .map((token) => `${token.kind} ${token.text}`)
}

test('tells the names, strings, figures and words of JSON apart', () => {
  const code = '{\n  "id": "mtn_1",\n  "n": -1.5e3, "ok": true, "none": null, "list": [false, "a: \\"b\\""]\n}'
  expect(kinds(code, 'json')).toEqual([
    'key "id"',
    'string "mtn_1"',
    'key "n"',
    'number -1.5e3',
    'key "ok"',
    'word true',
    'key "none"',
    'word null',
    'key "list"',
    'word false',
    'string "a: \\"b\\""',
  ])
})

test('tells the first line, the headers and the body of a request apart', () => {
  const code = 'POST /hook HTTP/1.1\r\nhost: a.example:80\r\n\r\n{"a": 1}'
  expect(kinds(code, 'http')).toEqual(['word POST /hook HTTP/1.1\r\n', 'key host', 'key "a"', 'number 1'])
  expect(kinds('HTTP/1.1 200 OK\nx-a: b\n\nplain "text"', 'http')).toEqual(['word HTTP/1.1 200 OK\n', 'key x-a'])
})

test('keeps every character of any text', () => {
  const languages = fc.constantFrom<Language>('json', 'http', 'shell', 'text')
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), languages, (code, language) => {
      expect(
        tokenize(code, language)
          .map((token) => token.text)
          .join(''),
      ).toBe(code)
    }),
  )
})
