import { expect, test } from 'vitest'
import { askedWaitMs } from './asked-wait.ts'

const NOW = new Date('2026-11-27T12:00:00Z')

test.each([
  ['7', 7000],
  [' 0 ', 0],
  ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
  ['', null],
  [null, null],
  [undefined, null],
  ['soon', null],
  ['-5', null],
  ['2026', 2_026_000],
])('%j asks for %j milliseconds', (header, ms) => expect(askedWaitMs(header, NOW)).toBe(ms))
