import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { htmlToText } from './html-text.ts'

const long = 'https://example.com/a/very/long/path/that/goes/on'

test.each([
  ['', ''],
  ['plain &amp; simple &#x27;quotes&#x27; &lt;b&gt; &eacute; &zzz;', "plain & simple 'quotes' <b> é &zzz;"],
  ['one<p>two<p>three', 'one\n\ntwo\n\nthree'],
  ['<p>one</p>\n<p>two</p>', 'one\n\ntwo'],
  ['one<br>two<br/>\n three', 'one\ntwo\nthree'],
  ['  many \n\t spaces  <i> kept </i> once ', 'many spaces kept once'],
  ['word<b>s</b> and<i> more</i>.', 'words and more.'],
  ['<pre><code>a  b\n  c\n</code></pre>after', 'a  b\n  c\n\n\nafter'],
  ['<ul><li>one</li><li>two</li></ul>end', 'one\ntwo\n\nend'],
  ['<div><div><p>deep</p></div></div>next', 'deep\n\nnext'],
  [
    '<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Acme</td><td>9</td></tr></table>end',
    'Plan Price\nAcme 9\n\nend',
  ],
  ['<table><tr><td><p>one</p></td><td>two</td></tr></table>', 'one\n\ntwo'],
  ['pick<select><option>Acme</option><option>Beta</option></select>', 'pick Acme Beta'],
  ['<label>Name</label>Acme<button>Send</button><button>Stop</button>now', 'Name Acme Send Stop now'],
  ...[
    'summary',
    'details',
    'header',
    'footer',
    'main',
    'aside',
    'nav',
    'form',
    'fieldset',
    'figcaption',
    'center',
    'dl',
  ].map((name): [string, string] => [`one<${name}>two</${name}>three`, 'one\n\ntwo\n\nthree']),
  ['<table><caption>two</caption><tr><td>three</td></tr></table>', 'two\n\nthree'],
  ['a<script>alert(1)</script><style>b{}</style>c<!-- d -->', 'ac'],
  ['2 < 3 and 5 > 4', '2 < 3 and 5 > 4'],
  ['broken <a href="https://x.example">link', 'broken link'],
  [`see <a href="${long}">https://example.com/a/very...</a>!`, `see ${long}!`],
  [`see <a href="${long}">example.com/a/very…</a>`, `see ${long}`],
  [`see <a href="${long}">the page...</a>`, 'see the page...'],
  [`see <a href="${long}">https://elsewhere.example/a...</a>`, 'see https://elsewhere.example/a...'],
  [`see <a href="${long}"><b>https://example.com/a...</b></a>`, 'see https://example.com/a...'],
])('%j reads %j', (html, text) => expect(htmlToText(html).text.trimEnd()).toBe(text.trimEnd()))

test('targets and pictures are given as written, in order', () => {
  expect(
    htmlToText('<a href="/one">1</a><img src="p.png"><a>none</a><a href="https://two.example/?a=1&amp;b=2">2</a>'),
  ).toMatchObject({
    links: ['/one', 'https://two.example/?a=1&b=2'],
    images: ['p.png'],
  })
})

test('hostile mark-up is read in bounded time and depth', () => {
  const began = systemClock.monotonicMs()
  for (const piece of [
    '<b>',
    '<a href="x">',
    '<p><i><table>',
    '</p>',
    '&',
    '&#',
    '<',
    '<!--',
    '<ul><li>',
    '<pre>',
    '<a href="',
    ' \n',
    '<svg><style>',
  ])
    htmlToText(piece.repeat(500_000))
  expect(systemClock.monotonicMs() - began).toBeLessThan(10_000)
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom('<', '>', '"', '<p', '<a href=', '&#x', ';', '</', '<pre>', 'a'),
          fc.string({ unit: 'binary' }),
        ),
        { maxLength: 30 },
      ),
      (parts) => {
        expect(typeof htmlToText(parts.join('')).text).toBe('string')
      },
    ),
    { numRuns: 300, verbose: 1 },
  )
})
