import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const LONGEST = 120
/** Composed samples whose characters must stand in a row. */
const DATA = /\.(test|suite|data)\.tsx?$|\/recorded\//
/** The formatter breaks code, but no text, comment or pattern. */
const SAMPLE_OF_LETTERS = 'src/matching/snapshot.ts'

test('no line of the program is longer than 120 columns', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { encoding: 'utf8' }).trim().split('\n')
  const program = tracked.filter((path) => /^(src|web|scripts|bench|bin)\//.test(path) && !DATA.test(path))
  expect(program.length).toBeGreaterThan(1000)
  const long = program.filter((path) => path !== SAMPLE_OF_LETTERS).flatMap(longLines)
  expect(long).toEqual([])
})

function longLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, at) => (Array.from(line).length > LONGEST ? [`${path}:${at + 1}`] : []))
}
