import { describe, expect, test } from 'vitest'
import { createMatcher } from './index.ts'
import { post, rules } from './makers.suite.ts'
import { uuid } from './shared-threads.suite.ts'

describe('the owner of a subscriber', () => {
  test('is answered with its matches and by itself', () => {
    const matcher = createMatcher()
    matcher.put(uuid(1), rules('acme'), 2 ** 31 - 1)
    matcher.put('any text', rules('acme'))
    const { ids, owners } = matcher.matchOwned(post('acme'))
    expect(Object.fromEntries(ids.map((id, at) => [id, owners[at]]))).toEqual({ [uuid(1)]: 2 ** 31 - 1, 'any text': 0 })
    expect([matcher.owner(uuid(1)), matcher.owner('any text'), matcher.owner(uuid(2))]).toEqual([2 ** 31 - 1, 0, null])
    expect([matcher.has('any text'), matcher.has(uuid(2))]).toEqual([true, false])
  })

  test('is replaced with the rules, and goes with the subscriber', () => {
    const matcher = createMatcher()
    matcher.put(uuid(1), rules('acme'), 1)
    expect(matcher.put(uuid(1), rules('acme'), 2)).toBe(true)
    expect(matcher.matchOwned(post('acme'))).toEqual({ ids: [uuid(1)], owners: [2] })
    matcher.remove(uuid(1))
    matcher.put(uuid(2), rules('acme'))
    expect([matcher.owner(uuid(1)), matcher.owner(uuid(2))]).toEqual([null, 0])
  })

  test.each([-1, 0.5, 2 ** 31, Number.NaN])(
    'is a whole number of 31 bits: %s is refused and changes nothing',
    (owner) => {
      const matcher = createMatcher()
      expect(() => matcher.put(uuid(1), rules('acme'), owner)).toThrow(RangeError)
      expect(matcher.size).toBe(0)
    },
  )
})

describe('putting what is there already', () => {
  test.each([
    ['the same', rules('acme corp', { excludedTerms: ['a', 'b'] }), false],
    ['the same in other letters', rules('ACME  Corp', { excludedTerms: ['B', 'a', 'b'] }), false],
    ['another term', rules('acme corps', { excludedTerms: ['a', 'b'] }), true],
    ['other rules', rules('acme corp', { excludedTerms: ['a'] }), true],
    ['another scope', rules('acme corp', { excludedTerms: ['a', 'b'], scopes: 3 }), true],
    ['case that counts', rules('acme corp', { excludedTerms: ['a', 'b'], caseSensitive: true }), true],
    ['a term of which nothing is visible', rules('\u200d', { excludedTerms: ['a', 'b'] }), true],
  ])('%s changes something: %s', (_, again, changes) => {
    const matcher = createMatcher()
    matcher.put(uuid(1), rules('acme corp', { excludedTerms: ['a', 'b'] }))
    expect(matcher.put(uuid(1), again)).toBe(changes)
    expect(matcher.put(uuid(1), again)).toBe(false)
    expect(matcher.stats().subscribers).toBe(1)
  })

  test('takes a term for another one than the one of which nothing is visible', () => {
    const matcher = createMatcher()
    matcher.put(uuid(1), rules('\u200d'))
    expect(matcher.put(uuid(1), rules('acme'))).toBe(true)
    expect(matcher.match(post('acme'))).toEqual([uuid(1)])
  })
})

describe('the ids of a matcher', () => {
  test('can be gone through while subscribers come and go: each that stays is met once', () => {
    const matcher = createMatcher()
    for (let number = 0; number < 1000; number += 1) matcher.put(uuid(number), rules(`term ${number % 50}`))
    const met: string[] = []
    for (const id of matcher.ids()) {
      met.push(id)
      if (met.length % 2 === 0) matcher.remove(id)
      if (met.length <= 10) matcher.put(uuid(5000 + met.length), rules('late'))
    }
    expect(new Set(met).size).toBe(met.length)
    for (let number = 0; number < 1000; number += 1) expect(met).toContain(uuid(number))
    expect([...matcher.ids()].every((id) => matcher.has(id))).toBe(true)
  })
})
