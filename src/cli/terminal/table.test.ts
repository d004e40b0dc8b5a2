import { Writable } from 'node:stream'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { cut, tableOf, wrapped } from './table.ts'
import { Terminal } from './terminal.ts'

function terminalOf(columns?: number, env: Record<string, string> = {}): Terminal {
  const stdout = Object.assign(new Writable(), columns === undefined ? {} : { columns, isTTY: true })
  return new Terminal({ stdout, stderr: new Writable(), env })
}

const COLUMNS = [
  { title: 'id', cell: ({ id }: Item) => id },
  { title: 'text', cell: ({ text }: Item) => text, isFlexible: true as const },
  { title: 'n', cell: ({ n }: Item) => String(n), align: 'right' as const, colour: () => 'red' as const },
]
interface Item {
  id: string
  text: string
  n: number
}

test('columns are aligned, and a wide character counts twice', () => {
  const items = [
    { id: 'a', text: '漢字', n: 5 },
    { id: 'bb', text: 'plain', n: 12 },
  ]
  expect(tableOf(COLUMNS, items, terminalOf(80, { NO_COLOR: '1' }))).toBe(
    'id  text    n\na   漢字    5\nbb  plain  12\n',
  )
})

test('no line is wider than the terminal, whatever the cells hold', () => {
  const item = fc.record({
    id: fc.string({ maxLength: 12 }),
    text: fc.string({ unit: 'binary', maxLength: 300 }),
    n: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), fc.integer({ min: 40, max: 200 }), (items, columns) => {
      const lines = tableOf(COLUMNS, items, terminalOf(columns, { NO_COLOR: '1' })).split('\n')
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns)
    }),
  )
})

test('a list may be as long as a command may print', () => {
  const items = Array.from({ length: 150_000 }, () => 'a')
  const lines = tableOf([{ title: 'id', cell: (id: string) => id }], items, terminalOf()).split('\n')
  expect(lines).toHaveLength(150_002)
})

test('nothing is cut for a pipe, and nothing has colour', () => {
  const text = 'long '.repeat(100).trim()
  const shown = tableOf(COLUMNS, [{ id: 'a', text, n: 1 }], terminalOf())
  expect(shown).toContain(text)
  expect(shown).not.toContain('\u001b')
})

test('notes, progress and lines of other commands hold no control of a stranger', () => {
  const written: string[] = []
  const stream = Object.assign(
    new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk)) as never) }),
    { isTTY: true },
  )
  const terminal = new Terminal({ stdout: stream, stderr: stream, env: {} })
  terminal.note('one\u001b]0;owned\u0007\ntwo')
  terminal.say('  three\u009b31m\nfour')
  terminal.progress('five\r\u001b[2Ksix')
  expect(written).toEqual(['one\ntwo\n', '  three four\n', '\r\u001b[2Kfive six'])
})

test.each([
  [{}, true],
  [{ NO_COLOR: '1' }, false],
  [{ NO_COLOR: '' }, true],
  [{ TERM: 'dumb' }, false],
  [{ FORCE_COLOR: '0' }, false],
])('colours follow %j', (env, hasColour) => {
  expect(terminalOf(80, env).paint('red', 'x') !== 'x').toBe(hasColour)
  expect(terminalOf(undefined, env).paint('red', 'x')).toBe('x')
})

test('text is cut at characters and wrapped at spaces', () => {
  expect(cut('👩‍💻👩‍💻👩‍💻', 5)).toBe('👩‍💻👩‍💻…')
  expect(wrapped('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
})
