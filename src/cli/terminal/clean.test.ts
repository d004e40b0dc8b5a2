import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanJson, cleanLine, cleanText } from './clean.ts'

const HOSTILE = [
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['the title of the window', '\u001b]0;owned\u0007text', 'text'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['the clipboard', '\u001b]52;c;ZXZpbA==\u0007text', 'text'],
  ['the cursor', 'one\u001b[2J\u001b[Htwo', 'onetwo'],
  ['controls of eight bits', '\u009b31mred', 'red'],
  ['a rewritten line', 'real\rfake', 'real fake'],
  ['reversed text', 'a\u202egnp.exe', 'a gnp.exe'],
] as const

test.each(HOSTILE)('%s of a post do nothing', (_, text, shown) => expect(cleanLine(text)).toBe(shown))

const unicode = fc.string({ unit: 'binary', maxLength: 200 })
const CONTROL = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

describe('whatever a text holds', () => {
  test('one line has no control', () => {
    fc.assert(fc.property(unicode, (text) => !CONTROL.test(cleanLine(text))))
  })

  test('several lines have line breaks alone', () => {
    fc.assert(fc.property(unicode, (text) => !CONTROL.test(cleanText(text).replaceAll('\n', ''))))
  })

  test('JSON keeps its value and has no control', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const json = cleanJson({ text })
        expect(JSON.parse(json)).toEqual({ text })
        expect(json).not.toMatch(CONTROL)
      }),
    )
  })
})

test('joiners of emoji stay', () => expect(cleanLine('👩\u200d💻 works')).toBe('👩\u200d💻 works'))
