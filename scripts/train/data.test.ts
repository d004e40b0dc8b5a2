import { describe, expect, test } from 'vitest'
import { isValidation, TENTHS, tenthOf, withoutCopies } from './data.ts'

const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: `row ${at}`, text: '' }))
const texts = (...all: string[]) => all.map((text) => ({ row: { text } }))

describe('the tenths', () => {
  test('hold every row once, and about equally many', () => {
    const sizes = Array.from(
      { length: TENTHS },
      (_, tenth) => rows.filter((row) => tenthOf('some', row) === tenth).length,
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows.length)
    for (const size of sizes) expect(Math.abs(size - rows.length / TENTHS)).toBeLessThan(0.1 * (rows.length / TENTHS))
  })

  test('are cut apart for each set, so that ids that sets share do not stand together', () => {
    const together = rows.filter((row) => tenthOf('some', row) === tenthOf('other', row)).length
    expect(Math.abs(together - rows.length / TENTHS)).toBeLessThan(0.1 * (rows.length / TENTHS))
  })

  test('are the same in every process, since models of one are judged in another', () => {
    expect(['1', '2', '3', '4', '5'].map((id) => tenthOf('airline', { id }))).toEqual([3, 6, 1, 6, 6])
  })

  test('are all learned where a process was not told which one to keep', () => {
    expect(rows.some((row) => isValidation('some', row))).toBe(false)
  })
})

describe('what is kept apart', () => {
  test('is learned from no copy of its text, however that is written', () => {
    const kept = texts('@acme Great phone, 5 stars! https://a.example/1')
    const learned = texts(
      'great PHONE 5 stars',
      'Great phone: 5 stars https://b.example @other',
      'great phone 4 stars',
      'phone great 5 stars',
    )
    expect(withoutCopies(learned, kept)).toEqual(texts('great phone 4 stars', 'phone great 5 stars'))
  })

  test('takes nothing away where there is none', () => {
    const learned = texts('one', 'One', '')
    expect(withoutCopies(learned, [])).toEqual(learned)
  })
})
