import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownToText } from './markdown-text.ts'

const textOf = (markdown: string) => markdownToText(markdown).text

describe('markdown as text', () => {
  test('marks go, words stay', () => {
    expect(textOf('**Bold**, *leaning*, __both__ of _them_, ~~struck~~ and ***all***')).toBe(
      'Bold, leaning, both of them, struck and all',
    )
    expect(textOf('## A heading ##s\nand a line\nand another')).toBe('A heading ##s\n\nand a line\nand another')
    expect(textOf('one\n\n---\n\n| a | b |\n|---|:-:|\n| 1 | 2 |')).toBe('one\n\n| a | b |\n\n| 1 | 2 |')
    expect(textOf('\\*not leaning\\* and 2 * 3 * 4')).toBe('*not leaning* and 2 * 3 * 4')
    expect(textOf('> quoted\n\nreply')).toBe('> quoted\n\nreply')
  })

  test('underscores and stars inside words, addresses and code stay', () => {
    expect(textOf('snake_case_name and `__init__` and a*b')).toBe('snake_case_name and __init__ and a*b')
    expect(textOf('see https://x.example/a_b_c?x=1&copy=2 now')).toBe('see https://x.example/a_b_c?x=1&copy=2 now')
    expect(textOf('``a ` b`` and ` alone')).toBe('a ` b and ` alone')
  })

  test('code keeps its form and its angle brackets', () => {
    expect(textOf('before\n```ts\nconst a: Map<string, `x`> = 1\n\n  # not a heading\n```\nafter')).toBe(
      'before\n\nconst a: Map<string, `x`> = 1\n\n  # not a heading\n\nafter',
    )
    expect(textOf('~~~\n```\n~~~')).toBe('```')
    expect(textOf('```\nnever closed <b>')).toBe('never closed <b>')
  })

  test('angle brackets that are no mark-up are text; mark-up and comments are read as the page shows them', () => {
    expect(textOf('a List<Thing> of <custom-tag> and 1 < 2 > 0')).toBe('a List<Thing> of <custom-tag> and 1 < 2 > 0')
    expect(textOf('the <title> and <script>alert(1)</script>')).toBe('the <title> and <script>alert(1)</script>')
    expect(textOf('<details><summary>Log</summary>\n\nall <b>fine</b></details>')).toBe('Log\n\nall fine')
    expect(textOf('kept <!-- not\n\n```\nshown\n``` --> here')).toBe('kept here')
    expect(textOf('kept <!-- not\nshown --> here')).toBe('kept here')
    expect(textOf('R&D &amp; &lt;b&gt;')).toBe('R&D & <b>')
  })

  test('addresses: of links, in brackets, and written out, each once; pictures apart', () => {
    const found = markdownToText(
      '[Docs](https://docs.example/a_(b) "title") [![badge](https://img.example/b.svg)](https://ci.example/) <https://plain.example/?a=1&b=2> (https://end.example/x). https://docs.example/a_(b)',
    )
    expect(found.links).toEqual([
      'https://docs.example/a_(b)',
      'https://ci.example/',
      'https://plain.example/?a=1&b=2',
      'https://end.example/x',
    ])
    expect(found.images).toEqual(['https://img.example/b.svg'])
    expect(found.text).toContain('Docs')
    expect(markdownToText('<img width="3" src="https://img.example/c.png"> ok').images).toEqual([
      'https://img.example/c.png',
    ])
  })

  test('a link loses its mark-up and its hidden target, whatever it shows and however its title is quoted', () => {
    const found = markdownToText(
      "see [`acme` docs](https://one.example/a 'the title'), [the [old] page](https://two.example), [x](https://three.example (why)) and [y](<https://four.example>)",
    )
    expect(found).toMatchObject({
      text: 'see acme docs, the [old] page, x and y',
      links: ['https://one.example/a', 'https://two.example', 'https://three.example', 'https://four.example'],
    })
    expect(textOf('`[a](https://x.example)` and [`a](b`)')).toBe('[a](https://x.example) and [a](b)')
    expect(markdownToText('[![the new badge](https://img.example/b.svg)](https://ci.example)')).toMatchObject({
      text: '',
      links: ['https://ci.example'],
      images: ['https://img.example/b.svg'],
    })
    expect(textOf('[see [docs](https://x.example/hidden)] [ ] [x] a[0](not a link)')).toBe(
      '[see docs] [ ] [x] a[0](not a link)',
    )
  })

  test('definitions are not shown; what names one is a link to it', () => {
    const found = markdownToText(
      "Read [the docs][Guide], [guide][] or [guide], not [other], ![shot][pic].\n\n[guide]: https://docs.example/acme?a=1&b=2 'Acme guide'\n[PIC]: <https://img.example/s.png>\n[unused]: https://hidden.example\n",
    )
    expect(found).toEqual({
      text: 'Read the docs, guide or guide, not [other], .',
      links: ['https://docs.example/acme?a=1&b=2'],
      images: ['https://img.example/s.png'],
    })
    // Within a paragraph, in code and for footnotes it is shown as it is written.
    for (const shown of ['said\n[guide]: https://docs.example', '[^1]: https://docs.example'])
      expect(textOf(shown)).toBe(shown)
    expect(textOf('```\n[guide]: https://docs.example\n```\n[guide]')).toBe('[guide]: https://docs.example\n\n[guide]')
  })

  test('backticks: code in one line is no fence, and one behind a backslash is a character', () => {
    expect(textOf('``` js `x`\n**then**')).toBe('``` js x\nthen')
    expect(textOf('```run it``` now\n*then*')).toBe('run it now\nthen')
    expect(textOf('\\`not *code*\\` and `a\\` b')).toBe('`not code` and a\\ b')
  })

  test('whatever is written, it is read, and plain words are never lost', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '*',
        '_',
        '`',
        '```\n',
        '~~',
        '[',
        '](',
        ')',
        '<',
        '>',
        '<!--',
        '-->',
        '|',
        '\n',
        '\\',
        '#',
        'https://a.example/',
        '![',
        '&',
        '"',
      ),
      fc.string({ maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(typeof textOf(pieces.join(''))).toBe('string')
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,10}$/), { minLength: 1, maxLength: 30 }), (words) => {
        expect(textOf(words.join(' '))).toBe(words.join(' '))
      }),
    )
  })

  test('the longest texts of nothing but marks are read; work that grew with their square would not end', () => {
    const patterns = [
      '[',
      '![',
      '[a](',
      '*a',
      '_a ',
      '`',
      '` ``',
      '|',
      '<',
      '<a ',
      '](',
      '\\',
      '> ',
      '~~a',
      '&',
      'https://',
      ')',
      '[a](https://x.example/',
      '((',
      '<!--',
      '#',
      '**a *',
      '[]',
      '[a[b]',
      '[[a]](',
      '![[a](b',
      '\\`',
      '[a][b',
      "[a](b '",
    ]
    for (const pattern of patterns) {
      expect(typeof textOf(pattern.repeat(Math.ceil(65_536 / pattern.length))), pattern).toBe('string')
      expect(
        typeof textOf(`[x]: https://x.example\n${pattern.repeat(Math.ceil(65_000 / pattern.length))}`),
        pattern,
      ).toBe('string')
    }
  })
})
