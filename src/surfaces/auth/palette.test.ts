import { describe, expect, test } from 'vitest'
import { DARK, LIGHT, type Palette } from './palette.ts'

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(first: string, second: string): number {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Text needs 4.5 (WCAG 1.4.3); the edge of a field and what shows the focus need 3 (1.4.11). */
const PAIRS: readonly (readonly [keyof Palette, keyof Palette, number])[] = [
  ['text', 'ground', 4.5],
  ['text', 'sheet', 4.5],
  ['text', 'notice', 4.5],
  ['quiet', 'ground', 4.5],
  ['quiet', 'sheet', 4.5],
  ['accent', 'ground', 4.5],
  ['accent', 'sheet', 4.5],
  ['accent', 'notice', 4.5],
  ['onAccent', 'accent', 4.5],
  ['alarm', 'sheet', 4.5],
  ['alarm', 'ground', 4.5],
  ['edge', 'sheet', 3],
  ['edge', 'ground', 3],
]

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('in the %s scheme', (_, palette) => {
  test.each(PAIRS)('%s on %s can be told apart', (first, second, least) => {
    expect(contrast(palette[first], palette[second])).toBeGreaterThanOrEqual(least)
  })
})

test('contrast is measured as the standard does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
