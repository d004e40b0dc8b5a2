import { expect, test } from 'vitest'
import { shapeOf, textsOf, translatedModules } from './translations.ts'

const modules = await translatedModules()

test('modules of words are found', () => {
  expect(modules.length).toBeGreaterThan(20)
})

test.each(modules)('$module is whole in German', ({ english, german }) => {
  expect(shapeOf(german)).toEqual(shapeOf(english))
})

/** A sentence that is the same in both languages was forgotten. */
test.each(modules)('no sentence of $module is left in English', ({ english, german }) => {
  const translated = textsOf(german)
  const same = [...textsOf(english)].filter(([key, text]) => translated.get(key) === text && /\w+ \w+ \w+/.test(text))
  expect(same).toEqual([])
})

test.each(modules)('$module has the quotation marks of German', ({ german }) => {
  const wrong = [...textsOf(german).values()].filter((text) => /[”’]|“(?=\w)/.test(text))
  expect(wrong).toEqual([])
})
