import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRss } from './read-rss.ts'

const read = (body: string) => readRss({ status: 200, headers: {}, body }, new Date('2026-11-21T12:00:00Z'))
const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>${items}</channel></rss>`

test('every headline survives being written as XML', () => {
  const escaped = (words: string) => words.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const words = fc
    .array(fc.constantFrom('Acme', '&', '<', '>', '&amp;', '&lt;b&gt;', '&#39;', '"', '😀', 'é', ']]>', '&x;'), {
      minLength: 1,
    })
    .map((list) => list.join(' '))
  fc.assert(
    fc.property(words, (title) => {
      expect(read(rss(`<item><title>${escaped(title)}</title></item>`))).toEqual([{ title }])
    }),
  )
})

test('nothing that a feed defines itself is expanded, and no depth or size of it is followed', () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${rss('<item><title>&b; &#233; &amp;lt; &#x1F680; &#0;</title></item>').slice(21)}`
  expect(read(bomb)).toEqual([{ title: '&b; é &lt; 🚀 &#0;' }])
  for (const body of [
    `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`,
    rss('<item><title>x</title></item>'.repeat(80_000)),
    rss('<__proto__><x/></__proto__>'),
  ]) {
    expect(() => read(body)).toThrow(expect.objectContaining({ kind: 'shape_changed' }))
  }
})

test('a feed whose items have another name has changed its form; one without items is empty', () => {
  expect(() => read(rss('<record><title>a</title><link>https://a.example/</link></record>'))).toThrow(
    expect.objectContaining({ kind: 'shape_changed' }),
  )
  expect(read(rss('<image><title>a</title><link>https://a.example/</link></image>'))).toEqual([])
})
