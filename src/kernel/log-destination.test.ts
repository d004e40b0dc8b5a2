import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { logDestination } from './log-destination.ts'

let folder: string
let file: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-log-'))
  file = openSync(join(folder, 'log'), 'a')
})

afterEach(() => {
  closeSync(file)
  rmSync(folder, { recursive: true, force: true })
})

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

function linesOf(stream: string | undefined): string[] {
  const log = createLog('trace', logDestination({ JOURNAL_STREAM: stream }, file))
  for (const level of LEVELS) log[level]('said')
  return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n')
}

test('a line for the journal begins with its priority, and is JSON behind it', () => {
  const { dev, ino } = fstatSync(file)
  const lines = linesOf(`${dev}:${ino}`)
  expect(lines.map((line) => line.slice(0, 3))).toEqual(['<7>', '<7>', '<6>', '<4>', '<3>', '<2>'])
  expect(lines.map((line) => JSON.parse(line.slice(3)).level)).toEqual([...LEVELS])
})

test.each([
  ['without a journal', undefined],
  ['where the journal is another file', '1:2'],
])('a line %s is JSON alone', (_, stream) => {
  expect(linesOf(stream).map((line) => JSON.parse(line).level)).toEqual([...LEVELS])
})
