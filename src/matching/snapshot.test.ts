import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachMatcher, createMatcher, type Matcher, type MatcherSnapshot, restoreMatcher } from './index.ts'
import { answerOf, type Change, filler, randomChange, TEXTS, uuid } from './shared-threads.suite.ts'

function bytesOf({ chunks }: MatcherSnapshot): Buffer {
  return Buffer.concat(chunks)
}

function apply(matcher: Matcher, { id, rules, owner }: Change): void {
  if (rules === null) matcher.remove(id)
  else matcher.put(id, rules, owner)
}

function answers(matcher: Matcher): string[] {
  return TEXTS.map((text) => answerOf(matcher.matchOwned(text)))
}

/** The same numbers in every run. */
function sequence(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0
    return (seed >>> 8) / 2 ** 24
  }
}

/** A matcher with a past: much has been added, replaced and removed. */
function lived(changes: number, seed = 1): { matcher: Matcher; random: () => number } {
  const matcher = createMatcher()
  const random = sequence(seed)
  for (let at = 0; at < changes; at += 1) {
    apply(matcher, randomChange(random))
    apply(matcher, filler(at))
    if (at % 3 === 0) matcher.remove(filler(at >> 1).id)
  }
  return { matcher, random }
}

function restored(bytes: Uint8Array): Matcher {
  const { matcher, refused } = restoreMatcher(bytes)
  if (matcher === null) throw new Error(refused)
  return matcher
}

describe('a matcher from a snapshot', () => {
  test('is equal to the one that was taken, and stays so through the same changes', () => {
    const { matcher, random } = lived(3000)
    const snapshot = matcher.snapshot()
    const bytes = bytesOf(snapshot)
    expect(bytes.length).toBe(snapshot.byteLength)
    const copy = restored(bytes)
    // What was read is not looked at any more.
    bytes.fill(0xff)
    expect(copy.checksum()).toBe(matcher.checksum())
    expect([...copy.ids()].sort()).toEqual([...matcher.ids()].sort())
    for (let at = 0; at < 2000; at += 1) {
      const change =
        at % 2 === 0 ? randomChange(random) : { ...filler(at), rules: at % 3 === 0 ? null : filler(at).rules }
      for (const item of [matcher, copy]) apply(item, change)
      if (at % 20 === 0) expect(answers(copy)).toEqual(answers(matcher))
    }
    expect(copy.checksum()).toBe(matcher.checksum())
    expect({ ...copy.stats(), bytes: 0 }).toEqual({ ...matcher.stats(), bytes: 0 })
    for (const id of matcher.ids()) expect(copy.remove(id)).toBe(true)
    expect(copy.stats()).toMatchObject({ terms: 0, subscribers: 0 })
  })

  test('knows what is there already, so that loading the same again changes nothing', () => {
    const matcher = createMatcher()
    const random = sequence(3)
    const loaded = new Map<string, Change>()
    for (let at = 0; at < 500; at += 1) {
      const change = randomChange(random)
      apply(matcher, change)
      if (change.rules) loaded.set(change.id, change)
      else loaded.delete(change.id)
    }
    const copy = restored(bytesOf(matcher.snapshot()))
    for (const { id, rules, owner } of loaded.values())
      expect([copy.put(id, rules!, owner), copy.owner(id), copy.has(id)]).toEqual([false, owner, true])
  })

  test('keeps ids of any text and the label', () => {
    const matcher = createMatcher()
    for (const id of ['a "quoted" id', 'lone \ud800', '', uuid(1)]) matcher.put(id, filler(1).rules!, 5)
    const { matcher: copy, label } = restoreMatcher(bytesOf(matcher.snapshot('at 10:00')))
    expect(label).toBe('at 10:00')
    expect([...copy!.ids()].sort()).toEqual([...matcher.ids()].sort())
    expect(copy!.remove('lone \ud800')).toBe(true)
  })

  test('can be shared, whether it was empty, small or large', () => {
    for (const changes of [0, 10, 4000]) {
      const { matcher, random } = lived(changes)
      const copy = restored(bytesOf(matcher.snapshot()))
      const reader = attachMatcher(copy.share())
      for (let at = 0; at < 300; at += 1) {
        apply(copy, randomChange(random))
        apply(copy, filler(10_000 + at))
        expect(answerOf(reader.matchOwned(TEXTS[at % TEXTS.length]!))).toBe(
          answerOf(copy.matchOwned(TEXTS[at % TEXTS.length]!)),
        )
      }
      expect(restored(bytesOf(copy.snapshot())).checksum()).toBe(copy.checksum())
    }
  })
})

describe('bytes that are of no use', () => {
  const bytes = bytesOf(lived(50).matcher.snapshot())

  test.each([
    ['none at all', Buffer.alloc(0), 'no snapshot'],
    ['another file', Buffer.from('{"some": "json"}'), 'no snapshot'],
    ['zeros', Buffer.alloc(1000), 'no snapshot'],
    ['the start of one', bytes.subarray(0, 10), 'other length'],
    ['one without its end', bytes.subarray(0, bytes.length - 1), 'other length'],
    ['one with more behind it', Buffer.concat([bytes, Buffer.alloc(1)]), 'other length'],
    [
      'one of another version',
      Buffer.concat([bytes.subarray(0, 8), Buffer.from([1, 0, 0, 0]), bytes.subarray(12)]),
      'other version',
    ],
  ])('are refused: %s', (_, rubbish, refused) => {
    expect(restoreMatcher(rubbish)).toEqual({ matcher: null, label: null, refused })
  })

  test('are refused wherever a bit of them is another one or a part of them was not written, and never throw', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.nat(4096), (at, flip, hole) => {
        const flipped = Buffer.from(bytes)
        flipped[at]! ^= flip
        expect(restoreMatcher(flipped).matcher).toBeNull()
        const torn = Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + hole))
        if (!torn.equals(bytes)) expect(restoreMatcher(torn).matcher).toBeNull()
        expect(restoreMatcher(bytes.subarray(0, at)).matcher).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  test('are those that were written while the matcher changed', () => {
    const { matcher, random } = lived(50)
    const snapshot = matcher.snapshot()
    const before = matcher.checksum()
    while (matcher.checksum() === before) apply(matcher, randomChange(random))
    expect(restoreMatcher(bytesOf(snapshot)).refused).toBe('damaged')
  })
})
