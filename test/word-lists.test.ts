import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { problemsInLines } from './listed-lines.ts'

/** Word lists of the service: an entry a line, or a weight, a tab and an entry. */
const LISTS = listsBelow('src')

describe('every word list', () => {
  test.each(LISTS)('%s can be read as it stands', (path) => {
    const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
    expect(problemsInList(text)).toEqual([])
  })

  test('is found', () => {
    expect(LISTS).toContain('src/classify/offline/cues/intents/praise.txt')
  })
})

describe('the check of word lists', () => {
  test.each([
    ['good\nbad\n', []],
    ['1.5\tgood one\n2\tbad\n', []],
    ['good\nbad', ['ends without a line break']],
    ['good\n\nbad\n', ['line 2 is empty']],
    ['good \n bad\n', ['line 1 has odd white space', 'line 2 has odd white space']],
    ['very  good\n\u00a0bad\n', ['line 1 has odd white space', 'line 2 has odd white space']],
    ['good\nbad\ngood\n', ['line 3 repeats an entry']],
    ['1\tgood\n2\tgood\n', ['line 2 repeats an entry']],
    ['1\tgood\nbad\n', ['line 2 has a wrong weight']],
    ['0\tgood\n4.5\tbad\nx\tugly\n', [1, 2, 3].map((line) => `line ${line} has a wrong weight`)],
  ])('of %j finds %j', (text, problems) => {
    expect(problemsInList(text)).toEqual(problems)
  })
})

function problemsInList(text: string): string[] {
  if (!text.includes('\t')) return problemsInLines(text)
  // An entry has one weight, so that it counts as repeated whatever stands before it.
  const entries = text.replace(/^.*\t/gm, '')
  const wrong = text
    .trimEnd()
    .split('\n')
    .flatMap((line, at) => (hasWeight(line) ? [] : [`line ${at + 1} has a wrong weight`]))
  return [...problemsInLines(entries), ...wrong]
}

/** Above 0 and up to 4, which is as much as an intent can have. */
function hasWeight(line: string): boolean {
  const [weight, ...rest] = line.split('\t')
  return rest.length === 1 && /^\d(?:\.\d)?$/.test(weight!) && Number(weight) > 0 && Number(weight) <= 4
}

function listsBelow(folder: string): string[] {
  const files = readdirSync(new URL(`../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => path.endsWith('.txt') && !/[\\/]recorded[\\/]/.test(path))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
}
