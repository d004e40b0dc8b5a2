import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { expect, test } from 'vitest'
import { Html, html } from './markup.ts'

const documentOf = (text: string) => new JSDOM(`<!doctype html><body>${text}</body>`).window.document

/** Text in which what ends an element, an attribute or an entity is frequent. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '=',
        '/',
        '<script>',
        '</p>',
        '-->',
        '&lt;',
        '&#x',
        '\u2028',
        ' onload=',
      ),
    )
    .map((parts) => parts.join('')),
)

test('whatever is put in stays text: between tags, in an attribute, and in a list', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const document = documentOf(html`<p title="${text}">${text}</p><ul>${[html`<li>${text}</li>`, text]}</ul>`.text)
      const names = [...document.body.querySelectorAll('*')].map((element) => element.localName)
      expect(names).toEqual(['p', 'ul', 'li'])
      expect(document.querySelector('p').getAttributeNames()).toEqual(['title'])
      // A parser drops NUL and makes one line break of two; neither ends anything.
      const parsed = text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')
      expect(document.querySelector('li').textContent.replaceAll('\ufffd', '')).toBe(parsed.replaceAll('\ufffd', ''))
    }),
    { numRuns: 100 },
  )
})

test('only markup is taken as markup, and an object that looks like it is not taken at all', () => {
  expect(html`${html`<b>1</b>`}${[new Html('<i>'), '<i>']}`.text).toBe('<b>1</b><i>&lt;i&gt;')
  expect(() => html`${{ text: '<b>' } as never}`).toThrow(TypeError)
})

test('nothing is left of what is absent, and numbers stand as they are', () => {
  expect(html`[${null}${undefined}${false}${0}${''}]`.text).toBe('[0]')
})
