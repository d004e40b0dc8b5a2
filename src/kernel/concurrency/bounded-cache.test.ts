import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundedCache, timedCache, trimOldest } from './bounded-cache.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const later = (ms: number) => new Date(AT.getTime() + ms)

describe('a bounded memory', () => {
  test('forgets what was set longest ago; what is set anew is the newest', () => {
    const memory = boundedCache<number>({ most: 2 })
    for (const [value, key] of ['a', 'b', 'a', 'c'].entries()) memory.set(key, value)
    expect([memory.size, memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([2, 2, undefined, 3])
  })

  test('forgets what it is told to', () => {
    const memory = boundedCache<number>({ most: 2 })
    memory.set('a', 1)
    memory.delete('a')
    memory.delete('b')
    expect([memory.size, memory.get('a')]).toEqual([0, undefined])
  })

  test('holds the newest that fit together, and nothing that does not fit alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.array(fc.nat(), { maxLength: 5 }))),
        (writes) => {
          const memory = boundedCache<number[]>({ most: 3, sizes: { of: (value) => value.length, most: 4 } })
          const newestFirst: [string, number[]][] = []
          for (const [key, value] of writes) {
            memory.set(key, value)
            const others = newestFirst.filter(([other]) => other !== key)
            newestFirst.splice(0, newestFirst.length, [key, value], ...others)
            while (newestFirst.length > 3 || newestFirst.flatMap(([, held]) => held).length > 4) newestFirst.pop()
          }
          expect(memory.size).toBe(newestFirst.length)
          for (const [key, value] of newestFirst) expect(memory.get(key)).toBe(value)
        },
      ),
    )
  })
})

describe('a memory that ages', () => {
  test('believes a finding for a while, that there is nothing as well, and then not any more', () => {
    const memory = timedCache<string | null>({ most: 5, forMs: 1000 })
    memory.set('there', 'here', AT)
    memory.set('gone', null, AT)
    expect([memory.get('there', later(999)), memory.get('gone', later(999)), memory.get('unknown', AT)]).toEqual([
      'here',
      null,
      undefined,
    ])
    expect([memory.get('there', later(1000)), memory.get('gone', later(1000)), memory.size]).toEqual([
      undefined,
      undefined,
      0,
    ])
  })

  test('a finding is believed from its last time on, and the one found longest ago goes first', () => {
    const memory = timedCache<number>({ most: 2, forMs: 1000 })
    memory.set('a', 1, AT)
    memory.set('b', 2, AT)
    memory.set('a', 3, later(900))
    memory.set('c', 4, later(900))
    expect([
      memory.size,
      memory.get('a', later(1500)),
      memory.get('b', later(900)),
      memory.get('c', later(1500)),
    ]).toEqual([2, 3, undefined, 4])
  })
})

test('of a map or set the oldest entries are forgotten', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ])
  trimOldest(map, 1)
  const set = new Set(['a', 'b', 'c'])
  trimOldest(set, 2)
  trimOldest(set, 5)
  expect([[...map.keys()], [...set]]).toEqual([['b'], ['b', 'c']])
})
