import { expect, test } from 'vitest'
import { newReading, readPlain } from '../text/reading.ts'
import { newThemeBits, THEMES, themesOf } from './themes.ts'

function themesIn(text: string): string[][] {
  const reading = newReading()
  readPlain(text, reading)
  const bits = newThemeBits()
  themesOf(reading, bits)
  return Array.from({ length: reading.tokens.count }, (_, at) =>
    THEMES.filter((_theme, theme) => (bits[at]! & (1 << theme)) !== 0),
  )
}

test('a word has the themes of its lists, in any of its forms', () => {
  expect(themesIn('discounted')[0]).toEqual(themesIn('discounts')[0])
  expect(themesIn('discounts')[0]).toContain('payment')
})

test('a phrase counts where it begins, and only as a whole', () => {
  const [will, never] = themesIn('we never go back')
  expect(will).toEqual([])
  expect(never).not.toContain('quitting')
  expect(themesIn('we never going back')[1]).toContain('quitting')
})

test.each(['$20', '20 €', '£ 3'])('%s is an amount', (text) => {
  expect(themesIn(text).flat()).toContain('amount')
})

test.each(['US$', 'a $ sign', '20'])('%j is none', (text) => {
  expect(themesIn(text).flat()).not.toContain('amount')
})

test('there is a bit for every theme', () => {
  expect(THEMES.length).toBeLessThanOrEqual(31)
})
