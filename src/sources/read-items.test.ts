import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Log } from '../kernel/log.ts'
import type { CollectContext } from './contract.ts'
import { faultOfOdd, itemReader, readItems } from './read-items.ts'

const shape = z.object({ id: z.string(), counts: z.object({ likes: z.number() }).optional() })
const changed = expect.objectContaining({ name: 'SourceFault', kind: 'shape_changed' })

/** A context of which nothing but the log is used; what was logged. */
function logging() {
  const lines: unknown[][] = []
  const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Log
  return { lines, context: { log } as CollectContext }
}

test('odd items are left out, and one line says how many and what the first lacks', () => {
  const { lines, context } = logging()
  const odd = { id: 'b', counts: { likes: 'many' } }
  expect(readItems([{ id: 'a', more: 1 }, odd, { id: 3 }, { id: 'c' }], shape, context, 'devto')).toEqual([
    { id: 'a' },
    { id: 'c' },
  ])
  expect(lines).toEqual([
    [
      { event: 'source.item_invalid', platform: 'devto', odd: 2, total: 4, field: 'counts.likes' },
      'Items have an unexpected form',
    ],
  ])
})

test('one or two odd items, however few there are, do not stop a query whose window holds no others', () => {
  const { lines, context } = logging()
  for (const raw of [[{ id: 1 }], [{ id: 1 }, null]]) expect(readItems(raw, shape, context, 'tiktok')).toEqual([])
  expect(lines.length).toBe(2)
  expect(readItems([], shape, context, 'tiktok')).toEqual([])
  expect(lines.length).toBe(2)
})

test('of three or four items all must be odd for a change of form, from five on more than half', () => {
  const faults = [3, 4, 5, 6].map((total) =>
    Array.from({ length: total + 1 }, (_, odd) => faultOfOdd(odd, total)).findIndex((fault) => fault !== null),
  )
  expect(faults).toEqual([3, 4, 3, 4])
  expect([faultOfOdd(0, 0), faultOfOdd(1, 1), faultOfOdd(2, 2)]).toEqual([null, null, null])
  expect(faultOfOdd(3, 3)).toEqual(changed)
  expect(() => readItems([{ id: 1 }, {}, null], shape, logging().context, 'tiktok')).toThrow(
    '3 of 3 items have an unexpected form',
  )
})

test('of every list exactly those of the expected form are read, in their order, unless too many are odd', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.record({ id: fc.string() }), fc.constantFrom(null, 1, {}, { id: 2 }))), (raw) => {
      const { lines, context } = logging()
      const good = raw.filter((item) => shape.safeParse(item).success)
      const odd = raw.length - good.length
      const read = () => readItems(raw, shape, context, 'x')
      if ((raw.length >= 5 && odd * 2 > raw.length) || (raw.length >= 3 && good.length === 0))
        expect(read).toThrow(changed)
      else expect(read()).toEqual(good)
      expect(lines).toHaveLength(odd > 0 ? 1 : 0)
    }),
  )
})

test('the part of the platform that the items come from stands in the log and in the fault', () => {
  const { lines, context } = logging()
  expect(() => readItems([1, 2, 3], shape, context, 'news', { part: { index: 'gdelt' } })).toThrow(
    '3 of 3 items of gdelt have an unexpected form',
  )
  expect(lines[0]?.[0]).toMatchObject({ platform: 'news', index: 'gdelt', odd: 3, total: 3 })
})

test('items that were understood earlier count when the others are judged', () => {
  const { context } = logging()
  expect(readItems([{ id: 'a' }, 1, 2, 3], shape, context, 'youtube', { understood: 2 })).toEqual([{ id: 'a' }])
  expect(() => readItems([1, 2, 3], shape, context, 'youtube', { understood: 2 })).toThrow(changed)
})

test('items that are read one after the other are judged together, and said once', () => {
  const { lines, context } = logging()
  const reader = itemReader(context, 'reddit')
  expect([reader.read({ id: 'a' }, shape), reader.read({ id: 1 }, shape), reader.odd()]).toEqual([{ id: 'a' }, null, 1])
  reader.judge()
  reader.judge()
  expect(lines.length).toBe(1)
  expect(reader.readAll([{ id: 'b' }, {}, {}], shape)).toEqual([{ id: 'b' }])
  expect(reader.odd()).toBe(3)
  expect(() => reader.judge()).toThrow('3 of 5 items')
  expect(lines[1]?.[0]).toEqual({ event: 'source.item_invalid', platform: 'reddit', odd: 2, total: 5, field: 'id' })
})
