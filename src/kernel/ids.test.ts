import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstUuidAt, fromId, ID_PREFIXES, newId, newUuid, toId, type Uuid, uuidFromName } from './ids.ts'

const uuids = fc.uuid().map((uuid) => uuid as Uuid)
const prefixes = fc.constantFrom(...ID_PREFIXES)
/** Ahead of every other test of this file, because the ids of a process only ever grow. */
const START = Date.parse('2030-01-01T00:00:00.000Z')

test('an id leads back to its UUID', () => {
  fc.assert(
    fc.property(prefixes, uuids, (prefix, uuid) => {
      const id = toId(prefix, uuid)
      expect(id).toMatch(/^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      expect(fromId(prefix, id)).toBe(uuid)
    }),
  )
})

test('ids sort as their UUIDs do', () => {
  fc.assert(fc.property(uuids, uuids, (first, second) => toId('kw', first) < toId('kw', second) === first < second))
})

test('an id under another prefix is none', () => {
  fc.assert(
    fc.property(prefixes, prefixes, uuids, (first, second, uuid) => {
      fc.pre(first !== second)
      expect(fromId(second, toId(first, uuid))).toBeNull()
    }),
  )
})

test('whatever text is read as an id is that id, letter for letter', () => {
  const near = uuids.chain((uuid) =>
    fc
      .tuple(fc.constant(toId('kw', uuid)), fc.nat(30), fc.string({ maxLength: 2 }))
      .map(([id, at, text]) => id.slice(0, at) + text + id.slice(at + 1)),
  )
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      const uuid = fromId('kw', text)
      if (uuid !== null) expect(toId('kw', uuid)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '',
  'kw',
  'kw_',
  'kw_01kg3w5z0yf8hbt2m7q4n9xc6',
  'kw_01kg3w5z0yf8hbt2m7q4n9xc6dd',
  'kw_81kg3w5z0yf8hbt2m7q4n9xc6d',
  'kw_01KG3W5Z0YF8HBT2M7Q4N9XC6D',
  'kw_01kg3w5z0yf8hbt2m7q4n9xciu',
  ' kw_01kg3w5z0yf8hbt2m7q4n9xc6d',
  'kw_01kg3w5z0yf8hbt2m7q4n9xc6d\n',
  '01900000-0000-7000-8000-000000000001',
])('%j is no id', (text) => {
  expect(fromId('kw', text)).toBeNull()
})

describe('new ids', () => {
  test('are UUIDs of version 7 that carry their time', () => {
    const uuid = newUuid(new Date(START))
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)).toBe(START)
  })

  test('grow within a millisecond, also past the count that one has room for', () => {
    const made = Array.from({ length: 10_000 }, () => newUuid(new Date(START + 1000)))
    expect(made.every((uuid, at) => at === 0 || uuid > made[at - 1]!)).toBe(true)
  })

  test('grow while the clock jumps to and fro', () => {
    let last = newUuid(new Date(START + 2000))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1 }), (jumps) => {
        for (const jump of jumps) {
          const next = newUuid(new Date(START + 200_000 + jump))
          expect(next > last).toBe(true)
          last = next
        }
      }),
    )
  })

  test('are all different', () => {
    const made = Array.from({ length: 5000 }, (_, at) => newId('mtn', new Date(START + 400_000 + (at % 3))))
    expect(new Set(made).size).toBe(5000)
  })
})

test('the first UUID of an instant bounds what is made from then on', () => {
  const at = new Date(START + 600_000)
  const before = newUuid(new Date(at.getTime() - 1))
  const after = newUuid(at)
  expect(firstUuidAt(at)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}$/)
  expect([before < firstUuidAt(at), firstUuidAt(at) <= after]).toEqual([true, true])
})

test('a name gives one UUID for ever, and its parts do not run together', () => {
  expect(uuidFromName('post', 'hackernews', '123')).toBe('7262724a-43ea-868d-8f30-9b738897628e')
  expect(uuidFromName('post', 'ab', 'c')).not.toBe(uuidFromName('post', 'a', 'bc'))
  expect(uuidFromName('post', 'bluesky', 'at://did:plc:x/app.bsky.feed.post/1')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
