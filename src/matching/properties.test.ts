import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthOf } from '../../test/length.ts'
import type { MatchRules, MatchText } from './contract.ts'
import { checksumOf, createJudge, createMatcher, holdsTerm, isAddress, type Matcher, restoreMatcher } from './index.ts'
import { post, rules } from './makers.suite.ts'
import { randomText, termFrom } from './random-text.suite.ts'
import { referenceAccepts, referenceHolds } from './reference.suite.ts'
import { packSnapshot, unpackSnapshot } from './snapshot.ts'

/** Pairs of a text and a term that are compared. */
const PAIRS = lengthOf('MATCH_PAIRS', { usual: 30_000, long: 100_000 })
const TERMS_A_TEXT = 20
/** MATCH_SEED repeats a run; a failure prints its seed. */
const seed = process.env['MATCH_SEED'] === undefined ? {} : { seed: Number(process.env['MATCH_SEED']) }

const textAndTerms = randomText(24).chain((text) =>
  fc.record({
    text: fc.constant(text),
    terms: fc.array(
      fc.tuple(
        fc.oneof({ weight: 6, arbitrary: termFrom(text) }, { weight: 1, arbitrary: randomText(3) }),
        fc.boolean(),
      ),
      {
        minLength: TERMS_A_TEXT,
        maxLength: TERMS_A_TEXT,
      },
    ),
  }),
)

describe('the engine against the reference', () => {
  test(`finds exactly the terms that the rules find, in ${PAIRS} pairs of a random text and a related term`, {
    timeout: 60_000 + PAIRS,
  }, () => {
    let hits = 0
    fc.assert(
      fc.property(textAndTerms, ({ text, terms }) => {
        const matcher = createMatcher()
        for (const [at, [term, caseSensitive]] of terms.entries())
          matcher.put(String(at), rules(term, { caseSensitive }))
        const expected = terms.flatMap(([term, caseSensitive], at) =>
          referenceHolds(text, term, caseSensitive) ? [String(at)] : [],
        )
        hits += expected.length
        expect(matcher.match(post(text)).sort()).toEqual(expected.sort())
      }),
      { numRuns: Math.ceil(PAIRS / TERMS_A_TEXT), ...seed },
    )
    expect(hits).toBeGreaterThan(PAIRS / 5)
  })

  test('finds the same among many other terms, whatever was there before', { timeout: 120_000 }, () => {
    const matcher = createMatcher()
    for (let at = 0; at < 10_000; at += 1) matcher.put(`other ${at}`, rules(`nobody${at} writes this${at}`))
    fc.assert(
      fc.property(textAndTerms, ({ text, terms }) => {
        for (const [at, [term, caseSensitive]] of terms.entries())
          matcher.put(String(at), rules(term, { caseSensitive }))
        const expected = terms.flatMap(([term, caseSensitive], at) =>
          referenceHolds(text, term, caseSensitive) ? [String(at)] : [],
        )
        expect(matcher.match(post(text)).sort()).toEqual(expected.sort())
        for (const at of terms.keys()) expect(matcher.remove(String(at))).toBe(true)
      }),
      { numRuns: Math.ceil(PAIRS / TERMS_A_TEXT / 2), ...seed },
    )
  })

  test.each([
    ['all tokens have', 0],
    ['all tokens of the same letters have', 1],
  ])('finds the same when %s one hash: what is found is compared', { timeout: 120_000 }, (_, multiplier) => {
    const matcher = matcherOf(multiplier)
    fc.assert(
      fc.property(textAndTerms, ({ text, terms }) => {
        for (const [at, [term, caseSensitive]] of terms.entries())
          matcher.put(String(at), rules(term, { caseSensitive }))
        for (let at = 0; at < terms.length; at += 2) expect(matcher.remove(String(at))).toBe(true)
        const expected = terms.flatMap(([term, caseSensitive], at) =>
          at % 2 === 1 && referenceHolds(text, term, caseSensitive) ? [String(at)] : [],
        )
        expect(matcher.match(post(text)).sort()).toEqual(expected.sort())
        for (let at = 1; at < terms.length; at += 2) expect(matcher.remove(String(at))).toBe(true)
        expect(matcher.stats().terms).toBe(0)
      }),
      { numRuns: 500, ...seed },
    )
  })

  test('agrees term by term when one text is asked for one term', () => {
    fc.assert(
      fc.property(textAndTerms, ({ text, terms }) => {
        for (const [term, caseSensitive] of terms.slice(0, 3)) {
          expect(holdsTerm(text, term, { caseSensitive })).toBe(referenceHolds(text, term, caseSensitive))
        }
      }),
      { numRuns: 2000, ...seed },
    )
  })

  test('accepts exactly the posts that all rules together accept', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(postAndRules, ([text, allRules]) => {
        const matcher = createMatcher()
        for (const [at, rules] of allRules.entries()) matcher.put(String(at), rules)
        const expected = allRules.flatMap((rules, at) => (referenceAccepts(rules, text, isAddress) ? [String(at)] : []))
        expect(matcher.match(text).sort()).toEqual(expected.sort())
        for (const rules of allRules)
          expect(createJudge(rules)(text) === 'accepted').toBe(referenceAccepts(rules, text, isAddress))
      }),
      { numRuns: 3000, ...seed },
    )
  })

  test('answers after any sequence of additions, replacements and removals as if loaded afresh', {
    timeout: 120_000,
  }, () => {
    fc.assert(
      fc.property(changes, ([text, steps]) => {
        const matcher = createMatcher()
        const loaded = new Map<string, MatchRules>()
        for (const { id, rules } of steps) {
          if (rules === null) {
            expect(matcher.remove(id)).toBe(loaded.delete(id))
          } else {
            matcher.put(id, rules)
            loaded.set(id, rules)
          }
          expect(matcher.size).toBe(loaded.size)
          expect(matcher.checksum()).toBe(checksumOf(loaded))
        }
        const expected = [...loaded].filter(([, rules]) => referenceAccepts(rules, text, isAddress)).map(([id]) => id)
        expect(matcher.match(text).sort()).toEqual(expected.sort())
        for (const id of loaded.keys()) expect(matcher.remove(id)).toBe(true)
        expect(matcher.match(text)).toEqual([])
        expect(matcher.stats()).toMatchObject({ terms: 0, subscribers: 0 })
        expect(matcher.checksum()).toBe(createMatcher().checksum())
      }),
      { numRuns: 1000, ...seed },
    )
  })
})

/** An empty matcher whose hashes are made with this multiplier, which a snapshot can say. */
function matcherOf(multiplier: number): Matcher {
  const unpacked = unpackSnapshot(Buffer.concat(createMatcher().snapshot().chunks))
  if (typeof unpacked === 'string') throw new Error(unpacked)
  const { numbers } = unpacked.head
  const { matcher, refused } = restoreMatcher(
    Buffer.concat(packSnapshot(multiplier, '', { numbers, arrays: unpacked.arrays }).chunks),
  )
  if (matcher === null) throw new Error(refused)
  return matcher
}

const withStars = (term: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('', '', '*'), term, fc.constantFrom('', '', '*'))
    .map(([before, core, after]) => before + core + after)
const AUTHORS = ['u/jane', 'jane', 'did:plc:1', 'ж']

const posts = fc.record({
  scope: fc.nat(2),
  title: fc.option(randomText(6)),
  text: randomText(16),
  links: fc.array(
    fc.oneof(fc.constantFrom('https://www.acme.com/x?y=1', 'https://node.js.org', 'http://x.acme.com'), randomText(4)),
    { maxLength: 2 },
  ),
  authorKeys: fc.subarray(AUTHORS),
  authorName: fc.option(randomText(4)),
})

function rulesFor(text: MatchText): fc.Arbitrary<MatchRules> {
  const anywhere = [text.title ?? '', text.text, text.text, text.authorName ?? '', ...text.links].join(' ')
  const near = fc.oneof(termFrom(text.text), termFrom(anywhere), fc.constantFrom('acme.com', 'a', 'open'))
  return fc.record({
    term: fc.oneof({ weight: 5, arbitrary: termFrom(text.text) }, { weight: 1, arbitrary: near }),
    caseSensitive: fc.boolean(),
    requiredTerms: fc.oneof(fc.constant([]), fc.array(withStars(near), { maxLength: 3 })),
    requiredMode: fc.constantFrom('any' as const, 'all' as const),
    excludedTerms: fc.oneof(fc.constant([]), fc.array(withStars(fc.oneof(near, randomText(2))), { maxLength: 2 })),
    excludedAuthors: fc.oneof(fc.constant([]), fc.subarray(AUTHORS, { maxLength: 1 })),
    scopes: fc.constantFrom(1, 2, 3, 7, 7, 7),
  })
}

const postAndRules = posts.chain((text) =>
  fc.tuple(fc.constant(text), fc.array(rulesFor(text), { minLength: 1, maxLength: 8 })),
)

const IDS = [
  '018f2c4e-0000-7000-8000-000000000001',
  '018f2c4e-0000-7000-8000-000000000002',
  '018F2C4E-0000-7000-8000-000000000001',
  'a',
  'b',
  '',
  '\u0000',
]
const changes = posts.chain((text) =>
  fc.tuple(
    fc.constant(text),
    fc.array(rulesFor(text), { minLength: 1, maxLength: 4 }).chain((few) =>
      fc.array(
        fc.record({
          id: fc.oneof(fc.constantFrom(...IDS), fc.uuid()),
          rules: fc.oneof(fc.constant(null), fc.constantFrom(...few), rulesFor(text)),
        }),
        { maxLength: 30 },
      ),
    ),
  ),
)
