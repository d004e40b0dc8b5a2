import { expect, test } from 'vitest'
import { snoozeEnd } from './snooze.ts'

const THURSDAY = new Date(2026, 10, 26, 16, 45)

test.each([
  ['hours', new Date(2026, 10, 26, 19, 45)],
  ['tomorrow', new Date(2026, 10, 27, 9)],
  ['monday', new Date(2026, 10, 30, 9)],
] as const)('%s', (choice, expected) => {
  expect(snoozeEnd(choice, THURSDAY)).toEqual(expected)
})

test('on a Monday the next Monday is a week on', () => {
  expect(snoozeEnd('monday', new Date(2026, 10, 30, 8))).toEqual(new Date(2026, 11, 7, 9))
})
