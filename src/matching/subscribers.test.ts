import { describe, expect, test } from 'vitest'
import { randomFrom } from '../../test/random.ts'
import { attachMatcher, createMatcher, type MatchReader, restoreMatcher } from './index.ts'
import { post, rules } from './makers.suite.ts'
import { uuid } from './shared-threads.suite.ts'

const TERMS = ['acme', 'corp', 'acme.com', '->', '日本', 'open source', '\u200d']
const TEXT = post('Acme corp, open-source 日本語 ->', { links: ['https://acme.com'] })

describe('the lists of subscribers', () => {
  test('hold everybody once, whoever came, went and moved between terms, also in a copy from a snapshot and in a reader', {
    timeout: 60_000,
  }, () => {
    const random = randomFrom(11)
    const loaded = new Map<string, string>()
    let matcher = createMatcher()
    let readers: MatchReader[] = []
    // Lists of one, two and three that come and go, then long ones, which shrink in the end.
    for (const [people, removed] of [
      [8, 0.5],
      [3000, 0.3],
      [3000, 0.85],
    ] as const) {
      matcher = restoreMatcher(Buffer.concat(matcher.snapshot().chunks)).matcher!
      readers = [matcher, attachMatcher(matcher.share())]
      for (let at = 0; at < 5000; at += 1) {
        const id = uuid(Math.floor(random() * people))
        if (random() < removed) {
          expect(matcher.remove(id)).toBe(loaded.delete(id))
        } else {
          const term = TERMS[Math.floor(random() * TERMS.length)]!
          matcher.put(id, rules(term))
          loaded.set(id, term)
        }
        if (at % (people / 8) !== 0) continue
        const expected = [...loaded].filter(([, term]) => term !== '\u200d').map(([known]) => known)
        for (const reader of readers) expect(reader.match(TEXT).sort()).toEqual(expected.sort())
      }
    }
    for (const id of loaded.keys()) expect(matcher.remove(id)).toBe(true)
    for (const reader of readers) expect(reader.match(TEXT)).toEqual([])
  })
})
