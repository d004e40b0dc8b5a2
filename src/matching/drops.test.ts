import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  attachMatcher,
  createJudge,
  createListsBook,
  createListsTest,
  createMatcher,
  type MatchRules,
  type MatchText,
} from './index.ts'
import { randomText, termFrom } from './random-text.suite.ts'

const uuid = (number: number) => `018f2c4e-0000-7000-8000-${String(number).padStart(12, '0')}`

const cases = randomText(20).chain((text) =>
  fc.record({
    text: fc.record({
      scope: fc.constant(0),
      title: fc.constant(null),
      text: fc.constant(text),
      links: fc.constant<string[]>([]),
      authorKeys: fc.subarray(['ada', 'bob']),
      authorName: fc.option(fc.constantFrom('ada', 'nightlybot')),
    }),
    all: fc.array(
      fc.record({
        term: termFrom(text),
        caseSensitive: fc.boolean(),
        requiredTerms: fc.array(termFrom(text), { maxLength: 2 }),
        requiredMode: fc.constantFrom('any' as const, 'all' as const),
        excludedTerms: fc.array(fc.oneof(termFrom(text), fc.constant('*bot')), { maxLength: 2 }),
        excludedAuthors: fc.subarray(['ada', 'bob']),
        scopes: fc.constantFrom(1, 2),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
)

test('drops are exactly those whose term is there and whose rules are not met, with the rule that a judge names, here and in other threads', {
  timeout: 300_000,
}, () => {
  fc.assert(
    fc.property(cases, ({ text, all }: { text: MatchText; all: MatchRules[] }) => {
      const matcher = createMatcher()
      for (const [number, rules] of all.entries()) matcher.put(uuid(number), rules, number)
      const expected = all.flatMap((rules, number) => {
        const verdict = createJudge(rules)(text)
        return verdict === 'accepted' || verdict === 'term' || verdict === 'scope'
          ? []
          : [{ id: uuid(number), owner: number, verdict }]
      })
      for (const reader of [matcher, attachMatcher(matcher.share())]) {
        reader.matchOwned(text)
        expect(reader.dropped).toBe(expected.length)
        expect([...reader.drops(text)].sort((a, b) => a.owner - b.owner)).toEqual(expected)
      }
    }),
    { numRuns: 2000 },
  )
})

test('a text that holds nothing has no drops, whatever the text before it had', () => {
  const matcher = createMatcher()
  matcher.put('a', {
    term: 'acme',
    caseSensitive: false,
    requiredTerms: ['x1'],
    requiredMode: 'any',
    excludedTerms: [],
    excludedAuthors: [],
    scopes: 1,
  })
  const text = (body: string) => ({ scope: 0, title: null, text: body, links: [], authorKeys: [], authorName: null })
  expect([matcher.match(text('acme')), matcher.dropped]).toEqual([[], 1])
  expect([matcher.match(text('')), matcher.dropped, matcher.drops(text(''))]).toEqual([[], 0, []])
})

test('a book of lists answers as each list alone does, whoever comes, changes and goes', () => {
  fc.assert(
    fc.property(cases, cases, ({ text, all }, { text: second, all: others }) => {
      const book = createListsBook()
      for (const [number, rules] of all.entries()) book.put(uuid(number), rules)
      book.read(text)
      for (const [number, rules] of all.entries()) expect(book.judge(uuid(number))).toBe(createListsTest(rules)(text))
      for (const [number, rules] of others.entries()) book.put(uuid(number), rules)
      book.remove(uuid(0))
      book.read(second)
      expect([book.has(uuid(0)), book.judge(uuid(0))]).toEqual([false, 'accepted'])
      for (const [number, rules] of others.entries())
        if (number > 0) expect(book.judge(uuid(number))).toBe(createListsTest(rules)(second))
    }),
    { numRuns: 500 },
  )
})

/** Subscribers of one term, each of whom drops the text, read here and in another thread. */
function droppersOf(count: number) {
  const matcher = createMatcher()
  const rules = {
    term: 'apple',
    caseSensitive: false,
    requiredTerms: ['x1'],
    requiredMode: 'any' as const,
    excludedTerms: [],
    excludedAuthors: [],
    scopes: 1,
  }
  for (let number = 0; number < count; number += 1) matcher.put(uuid(number), rules, number)
  return [matcher, attachMatcher(matcher.share())]
}
const APPLE: MatchText = { scope: 0, title: null, text: 'an apple', links: [], authorKeys: [], authorName: null }

test('of more than a hundred who drop a text each is told of sooner or later, the oldest as well', () => {
  for (const reader of droppersOf(150)) {
    const told = new Map<number, number>()
    for (let time = 0; time < 300; time += 1) {
      const drops = reader.drops(APPLE)
      expect(new Set(drops.map(({ id }) => id)).size).toBe(100)
      for (const { owner } of drops) told.set(owner, (told.get(owner) ?? 0) + 1)
    }
    expect(told.size).toBe(150)
    // Each is expected 200 times; fewer than 100 is some twelve standard deviations away.
    expect(Math.min(...told.values())).toBeGreaterThan(100)
  }
})

test('whom nobody wants to be told of is neither counted nor told, and takes no place from others, until all are told of again', () => {
  for (const reader of droppersOf(150)) {
    const wants = (id: string) => id >= uuid(120)
    const seen = new Set<number>()
    for (let time = 0; time < 3; time += 1) for (const { owner } of reader.drops(APPLE, wants)) seen.add(owner)
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, number) => 120 + number))
    expect([reader.matchOwned(APPLE).ids, reader.dropped]).toEqual([[], 30])
    reader.tellOfAll()
    reader.matchOwned(APPLE)
    expect(reader.dropped).toBe(150)
  }
})
