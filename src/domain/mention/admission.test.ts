import { expect, test } from 'vitest'
import { lookBackLeft, mentionsLeft, monthCountOf } from './admission.ts'

const AT = new Date('2026-11-20T09:30:00Z')
const KEYWORD = { muted: false, capOwn: null, welcomeLimits: false, month: '2026-11-01', monthMentions: 7 }

test('a keyword without a limit has room for any number of mentions', () => {
  expect(mentionsLeft(KEYWORD, null, AT)).toBe(Number.POSITIVE_INFINITY)
})

test('a keyword has room for what its month lacks of the limit', () => {
  expect(mentionsLeft(KEYWORD, 10, AT)).toBe(3)
  expect(mentionsLeft(KEYWORD, 7, AT)).toBe(0)
  expect(mentionsLeft(KEYWORD, 5, AT)).toBe(0)
})

test('a muted keyword has no room, whatever its limit', () => {
  expect(mentionsLeft({ ...KEYWORD, muted: true }, null, AT)).toBe(0)
  expect(mentionsLeft({ ...KEYWORD, muted: true }, 10, AT)).toBe(0)
})

test('matches of an earlier month do not count, and those of a month that has begun elsewhere do', () => {
  expect(monthCountOf({ month: '2026-10-01', monthMentions: 7 }, AT)).toBe(0)
  expect(monthCountOf({ month: '2026-11-01', monthMentions: 7 }, AT)).toBe(7)
  expect(monthCountOf({ month: '2026-12-01', monthMentions: 7 }, AT)).toBe(7)
})

test('looking back is limited on each platform and in all', () => {
  expect(lookBackLeft({ lookedBack: 0, lookedBackInAll: 0 })).toBe(10)
  expect(lookBackLeft({ lookedBack: 4, lookedBackInAll: 4 })).toBe(6)
  expect(lookBackLeft({ lookedBack: 0, lookedBackInAll: 48 })).toBe(2)
})
