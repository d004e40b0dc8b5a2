import { expect, test } from 'vitest'
import { excerptAround, markTerm } from './mark-term.ts'

function marked(text: string, term: string): string {
  return markTerm(text, term)
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join('')
}

test('whole words are marked in any letter case, and words that hold the term are not', () => {
  expect(marked('Acme, ACME and acmes; not acme_x', 'acme')).toBe('[Acme], [ACME] and acmes; not acme_x')
  expect(marked('Große ÄRZTE', 'ärzte')).toBe('Große [ÄRZTE]')
})

test('a phrase is found over a line break, and signs in a term mean themselves', () => {
  expect(marked('buy Acme\n robots now', 'acme robots')).toBe('buy [Acme\n robots] now')
  expect(marked('I like C++ (a lot)', 'C++')).toBe('I like [C++] (a lot)')
  expect(marked('anything', 'a.*')).toBe('anything')
  expect(marked('e-mail or email', 'e-mail')).toBe('[e-mail] or email')
})

test('a text without the term stays whole', () => {
  expect(markTerm('nothing here', 'acme')).toEqual([{ text: 'nothing here', marked: false }])
  expect(markTerm('nothing here', ' ')).toEqual([{ text: 'nothing here', marked: false }])
})

test('a long text is cut so that the first place of the term is seen', () => {
  const long = `${'before '.repeat(100)}Acme ${'after '.repeat(100)}`
  expect(excerptAround('short', 'acme', 200)).toBe('short')
  expect(excerptAround(long, 'acme', 200)).toMatch(/^… before .* Acme after .* …$/)
  expect(excerptAround(long, 'acme', 200).length).toBeLessThan(210)
  expect(excerptAround(long, 'nowhere', 200)).toMatch(/^before .* before …$/)
  expect(excerptAround('x'.repeat(500), 'acme', 200)).toBe(`${'x'.repeat(200)} …`)
})
