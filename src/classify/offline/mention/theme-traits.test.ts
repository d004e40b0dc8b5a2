import { describe, expect, test } from 'vitest'
import { newReading, readPlain } from '../text/reading.ts'
import type { Findings } from './findings.ts'
import { occurrencesOf } from './occurrences.ts'
import { NEIGHBOUR_TRAITS, THEME_TRAITS, writeNeighbours, writeThemes } from './theme-traits.ts'
import { newThemeBits, themesOf } from './themes.ts'

function traitsIn(text: string): string[] {
  const reading = newReading()
  readPlain(text, reading)
  const themes = newThemeBits()
  themesOf(reading, themes)
  const findings = { reading, themes, occurrences: occurrencesOf('acme', reading.tokens, 0) } as unknown as Findings
  const found = new Float64Array(THEME_TRAITS.length)
  writeThemes(findings, found)
  const near = new Float64Array(NEIGHBOUR_TRAITS.length)
  writeNeighbours(findings, near)
  return [...THEME_TRAITS.filter((_, at) => found[at]! > 0), ...NEIGHBOUR_TRAITS.filter((_, at) => near[at]! > 0)]
}

describe('what words around a term speak of', () => {
  test('is told apart by the sentence of the term and the rest of the post', () => {
    const here = traitsIn('Acme is far too expensive. We went home.')
    const elsewhere = traitsIn('The train was far too expensive. We went home by Acme.')
    expect(here).toEqual(expect.arrayContaining(['price text', 'price sentence', 'price behind']))
    expect(elsewhere).toContain('price text')
    expect(elsewhere).not.toContain('price sentence')
  })

  test('is told apart by the side on which it stands', () => {
    expect(traitsIn('I left Acme')).toContain('leaving before')
    expect(traitsIn('Acme left')).not.toContain('leaving before')
  })
})

test.each([
  ['on Acme today', 'before place'],
  ['try it with Acme', 'before means'],
  ['Acme is slow', 'behind being'],
  ["Acme's new boss", 'behind owned'],
  ['Acme, Globex', 'behind comma'],
  ['Acme 12', 'behind number'],
  ['Acme', 'before edge'],
])('%j: %s', (text, trait) => {
  expect(traitsIn(text)).toContain(trait)
})
