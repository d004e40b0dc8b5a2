import { describe, expect, test } from 'vitest'
import type { MatchRules, MatchText } from './contract.ts'
import {
  checksumOf,
  createJudge,
  createMatcher,
  foldTerm,
  holdsTerm,
  isAddress,
  searchTokens,
  tokens,
} from './index.ts'
import { post, rules } from './makers.suite.ts'

// One file of more than 300 lines, because it is read as the list of what the engine promises; most lines are table
// rows.

function accepts(own: MatchRules, text: MatchText): boolean {
  const matcher = createMatcher()
  matcher.put('it', own)
  const matched = matcher.match(text).length === 1
  expect(createJudge(own)(text) === 'accepted').toBe(matched)
  return matched
}

describe('words', () => {
  test.each([
    ['a word stands by itself', 'openai', 'I like OpenAI.', true],
    ['a longer word is another word', 'openai', 'openais and xopenai', false],
    ['digits make a word longer', 'gpt', 'gpt4', false],
    ['the underscore joins words', 'foo', 'foo_bar bar_foo', false],
    ['a hashtag matches the bare term', 'openai', '#openai', true],
    ['a handle matches the bare term', 'openai', 'by @OpenAI', true],
    ['a possessive matches the bare term', 'openai', "OpenAI's plan", true],
    ['a possessive with a curly apostrophe too', 'openai', 'OpenAI\u2019s plan', true],
    ['a possessive with an acute accent too', 'openai', 'OpenAI\u00b4s plan', true],
    ['a trademark sign is no part of the name', 'openai', 'OpenAI\u2122', true],
    ['a mark belongs to its word', 'x', 'x\u0331', false],
    ['a mark on nothing does not', 'foo', '!\u0331foo', true],
    ['an address in the text is text', 'acme', 'see https://acme.com/x', true],
    ['so is the address itself', 'acme.com', 'see https://www.acme.com/x', true],
    ['and its boundaries count', 'acme.com', 'see https://notacme.com', false],
    ['words part where scripts change', 'openai', 'OpenAIの新モデル', true],
    ['Hangul is written with spaces', '삼성', '삼성은', false],
    ['and its words stand by themselves', '삼성', '오늘 삼성 주가', true],
  ])('%s: %s in %s', (_, term, text, expected) => {
    expect(accepts(rules(term), post(text))).toBe(expected)
    expect(holdsTerm(text, term)).toBe(expected)
  })
})

describe('phrases', () => {
  test.each([
    ['a space', 'open source', 'Open Source', true],
    ['several spaces', 'open source', 'open   source', true],
    ['a line break', 'open source', 'open\r\nsource', true],
    ['a hyphen', 'open source', 'open-source', true],
    ['a dash', 'open source', 'open \u2014 source', true],
    ['a no-break space', 'open source', 'open\u00a0source', true],
    ['nothing', 'open source', 'opensource', false],
    ['a comma', 'open source', 'open, source', false],
    ['another order', 'open source', 'source open', false],
    ['a term with a hyphen is literal', 'open-source', 'open source', false],
    ['any dash is that hyphen', 'open-source', 'open\u2013source', true],
    ['a hyphen between spaces has to be there', 'jack - jones', 'jack jones', false],
    ['and may be any dash', 'jack - jones', 'Jack \u2013 Jones', true],
  ])('%s: %s in %s', (_, term, text, expected) => {
    expect(accepts(rules(term), post(text))).toBe(expected)
  })

  test('do not reach from the title into the text', () => {
    expect(accepts(rules('open source'), post('source', { title: 'open' }))).toBe(false)
    expect(accepts(rules('open source'), post('', { title: 'open source' }))).toBe(true)
  })
})

describe('terms with punctuation', () => {
  test.each([
    ['node.js', 'Node.js!', true],
    ['node.js', 'node js', false],
    ['node.js', 'node.jsx', false],
    ['c++', 'C++17', true],
    ['c++', 'xc++', false],
    ['.net', 'ASP.NET', true],
    ['.net', '.network', false],
    ['@acme', 'hi @acme!', true],
    ['@acme', 'hi x@acme', true],
    ['@acme', 'hi @acmes', false],
    ['_foo', 'bar_foo', true],
    ['->', 'a->b', true],
    ['$$', 'US$$', true],
    ['$$', 'US$ $', false],
    ['- -', 'a - - b', true],
    ['👍', 'so 👍🏽', true],
    ['👩\u200d💻', 'a 👩\u200d💻 here', true],
  ])('%s in %s', (term, text, expected) => {
    expect(accepts(rules(term), post(text))).toBe(expected)
  })
})

describe('scripts without spaces', () => {
  test.each([
    ['人工知能', '日本の人工知能研究', true],
    ['人工知能', '人工の知能', false],
    ['サーバー', '新サーバーが', true],
    ['カ゚', 'カ', false],
    ['ガス', 'ｶﾞｽ料金', true],
    ['กท', 'ที่กทม', true],
    ['AI研究', 'OpenAI研究', false],
    ['AI研究', '新AI研究所', true],
  ])('%s in %s', (term, text, expected) => {
    expect(accepts(rules(term), post(text))).toBe(expected)
  })
})

describe('what counts as the same character', () => {
  test.each([
    ['case', 'ÄRGER', 'ärger', true],
    ['the sharp s', 'strasse', 'Straße STRAẞE', true],
    ['both sigmas', 'οδός', 'ΟΔΌΣ', true],
    ['no Turkish rules', 'istanbul', 'ISTANBUL', true],
    ['the dotted capital is another letter', 'istanbul', 'İstanbul', false],
    ['so is the dotless small one', 'ısı', 'isi', false],
    ['wide letters', 'openai', 'ＯｐｅｎＡＩ', true],
    ['mathematical letters', 'openai', '𝕆𝕡𝕖𝕟𝔸𝕀', true],
    ['ligatures', 'office', 'oﬃce', true],
    ['composition', 'café', 'cafe\u0301', true],
    ['diacritics count', 'cafe', 'café', false],
    ['quotes', 'l\u2019oreal', "l'oreal", true],
    ['invisible characters do not count', 'openai', 'open\u00adai', true],
    ['nor do those at the end', 'openai', 'openai\ufeff', true],
    ['marks in any order', 'a\u0323\u0301', 'a\u0301\u0323', true],
    ['letters beyond the first plane', '𐐀𐐁', '𐐨𐐩', true],
    ['dashes beyond the first plane', 'open-ai', 'open\u{10ead}ai', true],
  ])('%s: %s in %s', (_, term, text, expected) => {
    expect(accepts(rules(term), post(text))).toBe(expected)
  })

  test('a term whose case counts matches only as it is typed', () => {
    const apple = rules('Apple', { caseSensitive: true })
    expect(accepts(apple, post('Apple pie'))).toBe(true)
    expect(accepts(apple, post('apple pie, APPLE'))).toBe(false)
    expect(accepts(apple, post('Ａpple'))).toBe(true)
    expect(accepts(rules('Straße', { caseSensitive: true }), post('eine Straße'))).toBe(true)
    expect(accepts(rules('Straße', { caseSensitive: true }), post('eine Strasse, STRASSE'))).toBe(false)
  })

  test('has linear cost for marks in the worst order: tens of thousands of them are read in no noticeable time', () => {
    const text = `a${'\u0315'.repeat(20_000)}${'\u0316'.repeat(20_000)} openai`
    expect(accepts(rules('openai'), post(text))).toBe(true)
  })

  test('finds every length of a term of repeated words in a text of the same', () => {
    const matcher = createMatcher()
    for (let length = 1; length <= 40; length += 1)
      matcher.put(String(length), rules(Array(length).fill('a').join(' ')))
    expect(matcher.match(post('a '.repeat(4000)))).toHaveLength(40)
    expect(matcher.match(post('a '.repeat(7)))).toHaveLength(7)
  })

  test('takes no memory for every place where such a term of some length ends', () => {
    const matcher = createMatcher()
    for (let length = 1; length <= 40; length += 1)
      matcher.put(String(length), rules(Array(length).fill('a').join(' ')))
    const before = process.memoryUsage().arrayBuffers
    expect(matcher.match(post('a '.repeat(50_000)))).toHaveLength(40)
    // The text as it is read takes some two megabytes; two million places would take thirty-two and more.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20)
  })
})

describe('links', () => {
  const links = ['https://www.acme.com/pricing?x=1']

  test('are searched for terms that look like a domain or an address', () => {
    expect(accepts(rules('acme.com'), post('', { links }))).toBe(true)
    expect(accepts(rules('https://www.acme.com/pricing'), post('', { links }))).toBe(true)
    expect(accepts(rules('me.com'), post('', { links }))).toBe(false)
  })

  test('are not searched for other terms', () => {
    expect(accepts(rules('acme'), post('', { links }))).toBe(false)
    expect(accepts(rules('pricing'), post('', { links }))).toBe(false)
  })

  test.each([
    ['acme.com', true],
    ['acme.com/x', true],
    ['shop.acme.co.uk', true],
    ['http://localhost:3000', true],
    ['münchen.de', true],
    ['node.js', false],
    ['@acme.com', false],
    ['acme', false],
    ['3.5', false],
    ['c++', false],
  ])('%s looks like one: %s', (term, expected) => {
    expect(isAddress(foldTerm(term))).toBe(expected)
  })
})

describe('rules', () => {
  test('require any or all of the required terms', () => {
    const any = rules('acme', { requiredTerms: ['price', 'open source'] })
    const all: MatchRules = { ...any, requiredMode: 'all' }
    expect(accepts(any, post('acme prices'))).toBe(false)
    expect(accepts(any, post('acme Open-Source'))).toBe(true)
    expect(accepts(all, post('acme Open-Source'))).toBe(false)
    expect(accepts(all, post('acme Open-Source', { title: 'Price' }))).toBe(true)
  })

  test('drop a text that holds an excluded term, also in the name of its author', () => {
    const own = rules('acme', { excludedTerms: ['hiring', 'acme.com'] })
    expect(accepts(own, post('acme is hiring'))).toBe(false)
    expect(accepts(own, post('acme', { authorName: 'Hiring Bot' }))).toBe(false)
    expect(accepts(own, post('acme', { links: ['https://acme.com'] }))).toBe(false)
    expect(accepts(own, post('acme', { authorName: 'Hirings' }))).toBe(true)
  })

  test.each([
    ['deploy*', 'the deployment', false],
    ['deploy*', 'deploy', false],
    ['deploy*', 'redeployment', true],
    ['*bot', 'a nightlybot', false],
    ['*bot', 'bots', true],
    ['*bot*', 'robots', false],
    ['open sour*', 'Open  Sources', false],
    ['*', 'anything', true],
    ['de*oy', 'deploy', true],
  ])('take a star at an end of %s for the rest of the word in %s', (excluded, text, expected) => {
    expect(accepts(rules('acme', { excludedTerms: [excluded] }), post(`acme ${text}`))).toBe(expected)
  })

  test('drop a text whose author is excluded, compared exactly', () => {
    const own = rules('acme', { excludedAuthors: ['jane'] })
    expect(accepts(own, post('acme', { authorKeys: ['u1', 'jane'] }))).toBe(false)
    expect(accepts(own, post('acme', { authorKeys: ['Jane', 'jane2'] }))).toBe(true)
  })

  test('look for the term only in the scopes they name', () => {
    const own = rules('acme', { scopes: (1 << 3) | (1 << 31) })
    expect([0, 3, 31].map((scope) => accepts(own, post('acme', { scope })))).toEqual([false, true, true])
  })

  test('say which of them drops a text', () => {
    const judge = createJudge(
      rules('acme', { requiredTerms: ['price'], excludedTerms: ['hiring'], excludedAuthors: ['jane'] }),
    )
    expect(judge(post('other'))).toBe('term')
    expect(judge(post('acme', { scope: 1 }))).toBe('scope')
    expect(judge(post('acme price', { authorKeys: ['jane'] }))).toBe('excluded_author')
    expect(judge(post('acme price hiring'))).toBe('excluded_term')
    expect(judge(post('acme'))).toBe('required_terms')
    expect(judge(post('acme price'))).toBe('accepted')
  })
})

describe('a matcher', () => {
  const first = '018f2c4e-0000-7000-8000-0000000000aa'
  const second = '018f2c4e-0000-7000-8000-0000000000bb'

  test('answers the ids of all subscribers of a term, each once', () => {
    const matcher = createMatcher()
    matcher.put(first, rules('acme'))
    matcher.put(second, rules('ACME'))
    matcher.put('any text', rules('acme corp'))
    expect(matcher.match(post('acme, Acme Corp, acme')).sort()).toEqual([first, second, 'any text'].sort())
    expect(matcher.stats()).toMatchObject({ terms: 2, subscribers: 3 })
    expect(
      matcher
        .hits(post('acme corp'))
        .map(({ term }) => term)
        .sort(),
    ).toEqual(['acme', 'acme corp'])
  })

  test('replaces and removes in place', () => {
    const matcher = createMatcher()
    matcher.put(first, rules('acme'))
    matcher.put(first, rules('other'))
    expect(matcher.match(post('acme'))).toEqual([])
    expect(matcher.match(post('other'))).toEqual([first])
    expect(matcher.remove(first)).toBe(true)
    expect(matcher.remove(first)).toBe(false)
    expect(matcher.size).toBe(0)
  })

  test('keeps apart terms that differ only in case or punctuation', () => {
    const matcher = createMatcher()
    const variants = ['Acme', 'acme!', '@acme', 'acme.', 'acme'] as const
    for (const [at, term] of variants.entries()) matcher.put(term, rules(term, { caseSensitive: at === 0 }))
    expect(matcher.match(post('Acme')).sort()).toEqual(['Acme', 'acme'])
    expect(matcher.match(post('@acme!')).sort()).toEqual(['@acme', 'acme', 'acme!'])
    expect(matcher.stats().terms).toBe(5)
  })

  test('stays right while it grows to many terms and shrinks again', () => {
    const matcher = createMatcher()
    const id = (at: number) => `018f2c4e-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
    for (let at = 0; at < 20_000; at += 1) matcher.put(id(at), rules(`term${at} of many`))
    for (const at of [0, 7, 19_999]) expect(matcher.match(post(`x term${at} of many`))).toEqual([id(at)])
    for (let at = 0; at < 20_000; at += 1) if (at % 10 !== 3) expect(matcher.remove(id(at))).toBe(true)
    expect(matcher.match(post('term7 of many'))).toEqual([])
    expect(matcher.match(post('term13 of many, term14 of many'))).toEqual([id(13)])
    expect(matcher.stats()).toMatchObject({ terms: 2000, subscribers: 2000 })
  })

  test('keeps its content when room is made, before and in between', () => {
    const matcher = createMatcher()
    const id = (at: number) => `018f2c4e-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
    matcher.put(id(0), rules('term 0'))
    for (const room of [5000, 0]) matcher.reserve(room)
    const { bytes } = matcher.stats()
    for (let at = 1; at < 5000; at += 1) matcher.put(id(at), rules(`term ${at}`))
    expect(matcher.stats().bytes).toBe(bytes)
    for (const at of [0, 7, 4999]) expect(matcher.match(post(`x term ${at}`))).toEqual([id(at)])
    expect(() => matcher.reserve(-1)).toThrow(RangeError)
  })

  test('finds UUIDs that take the places of other ids', () => {
    const matcher = createMatcher()
    for (let at = 0; at < 500; at += 1) matcher.put(`id ${at}`, rules('other'))
    for (let at = 0; at < 500; at += 1) expect(matcher.remove(`id ${at}`)).toBe(true)
    for (const id of [first, second]) matcher.put(id, rules('acme'))
    expect(matcher.match(post('acme')).sort()).toEqual([first, second])
    expect([matcher.remove(first), matcher.remove(first), matcher.size]).toEqual([true, false, 1])
  })

  test('has the checksum of its content, whatever the order and the way it came about', () => {
    const matcher = createMatcher()
    const other = createMatcher()
    matcher.put(first, rules('Acme Corp', { excludedTerms: ['b', 'a'] }))
    matcher.put(second, rules('x'))
    other.put(second, rules('y'))
    other.put(second, rules('x'))
    expect(other.checksum()).not.toBe(matcher.checksum())
    other.put(first, rules('acme  corp', { excludedTerms: ['A', 'b', 'a'] }))
    expect(other.checksum()).toBe(matcher.checksum())
    expect(
      checksumOf([
        [second, rules('x')],
        [first, rules('acme corp', { excludedTerms: ['a', 'b'] })],
      ]),
    ).toBe(matcher.checksum())
    expect(checksumOf([[second, rules('x', { caseSensitive: true })]])).not.toBe(checksumOf([[second, rules('x')]]))
  })

  test('takes a term of which nothing is visible as one that no text holds', () => {
    const matcher = createMatcher()
    matcher.put(first, rules('\u200d'))
    expect(matcher.match(post('\u200d anything'))).toEqual([])
    expect(matcher.remove(first)).toBe(true)
  })

  test('refuses a term that is too long to be one and keeps what it had', () => {
    const matcher = createMatcher()
    matcher.put(first, rules('acme'))
    expect(() => matcher.put(first, rules('x'.repeat(5000)))).toThrow(RangeError)
    expect(matcher.match(post('acme'))).toEqual([first])
  })
})

describe('tokens', () => {
  test('are folded words and single characters of scripts without spaces', () => {
    expect(tokens('Straße, snake_case & 日本 한국 👍')).toEqual([
      'strasse',
      'snake',
      'case',
      '日',
      '本',
      '한',
      '국',
      '👍',
    ])
    expect(tokens('')).toEqual([])
  })

  test('have fixed 64-bit hashes, each once', () => {
    expect(searchTokens('Hi hi')).toEqual([628919584683901914n])
    expect(searchTokens('a b').length).toBe(2)
  })

  test('give terms that are duplicates one form', () => {
    expect(foldTerm('  Open\tAI ')).toBe('open ai')
    expect(foldTerm('ＯＰＥＮ\u200d AI')).toBe('open ai')
    expect(foldTerm('open-ai')).not.toBe(foldTerm('open ai'))
  })
})
