import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { refuseFields } from '../domain/refusal/refusal.ts'
import { newUuid, toId } from '../kernel/ids.ts'
import { check } from './problems.ts'
import {
  booleanIn,
  exactIn,
  idIn,
  lineIn,
  listIn,
  numberIn,
  requestIdIn,
  textOut,
  timeIn,
  timeOf,
  wholeIn,
} from './shapes.ts'

const id = newUuid(new Date())

function told(schema: z.ZodType, value: unknown): unknown {
  const result = check(z.strictObject({ it: schema }), value === undefined ? {} : { it: value }, 'field')
  return 'problems' in result ? refuseFields(result.problems).message : result.value['it']
}

describe('times', () => {
  test.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.123456+02:00', '2026-11-20T07:30:00.123Z'],
    ['2026-11-20T09:30-0530', '2026-11-20T15:00:00.000Z'],
    ['2024-02-29t00:00:00z', '2024-02-29T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['1763631000000', '2025-11-20T09:30:00.000Z'],
    [1763631000000, '2025-11-20T09:30:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ])('%j is read as %s', (text, iso) => {
    expect((told(timeIn(), text) as Date).toISOString()).toBe(iso)
  })

  test.each([
    '2026-11',
    '2026-02-29',
    '2026-11-20 09:30',
    '2026-11-20+01:00',
    '2026-11-20T09:30:00',
    '2026-02-29T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T09:30:00+99:00',
    'yesterday',
    '',
    -1,
    1.5,
    1e20,
    null,
    true,
    {},
    '9'.repeat(41),
  ])('%j is none', (value) => {
    expect(told(timeIn(), value)).toBe(
      'it: must be a time: ISO 8601 with an offset, a day such as 2026-11-20, or milliseconds since 1970',
    )
  })

  test('a time at the last offset of the calendar stays within it', () => {
    expect(timeOf('9999-12-31T23:59:59Z')).not.toBeNull()
    expect(timeOf('9999-12-31T23:59:59-01:00')).toBeNull()
    expect(timeOf('1970-01-01T00:00:00+01:00')).toBeNull()
  })
})

describe('lists', () => {
  const platforms = listIn(z.enum(['x', 'news', 'reddit']), 2)
  test.each([
    ['x,news', ['x', 'news']],
    [' x , news ,', ['x', 'news']],
    [
      ['x', 'news'],
      ['x', 'news'],
    ],
    ['x', ['x']],
  ])('%j is read', (value, list) => expect(told(platforms, value)).toEqual(list))
  test.each([
    ['', 'it: must not be empty'],
    [',', 'it: must not be empty'],
    ['x,news,reddit', 'it: must have at most 2 entries'],
    ['x,fax', 'it.1: must be one of x, news, reddit'],
    [5, 'it.0: must be one of x, news, reddit'],
  ])('%j is refused', (value, message) => expect(told(platforms, value)).toBe(message))
  test('ids in a list become stored ids', () => {
    expect(told(listIn(idIn('kw'), 5), `${toId('kw', id)},${toId('kw', id)}`)).toEqual([id, id])
  })
})

describe('values of parameters', () => {
  test.each([
    [booleanIn(), 'true', true],
    [booleanIn(), 'false', false],
    [booleanIn(), false, false],
    [booleanIn(), '1', 'it: must be true or false'],
    [booleanIn(), '', 'it: must be true or false'],
    [wholeIn(1, 100), '100', 100],
    [wholeIn(1, 100), 7, 7],
    [wholeIn(1, 100), '0', 'it: must be at least 1'],
    [wholeIn(1, 100), '101', 'it: must be at most 100'],
    [wholeIn(1, 100), '1.5', 'it: must be a whole number'],
    [wholeIn(1, 100), '1e1', 10],
    [numberIn(0, 1), '.5', 0.5],
    [numberIn(0, 1), '5.e-1', 0.5],
    [numberIn(0, 1), '0.12345678901234567', Number('0.12345678901234567')],
    [numberIn(0, 1), '1e999', 'it: must be a number'],
    [numberIn(0, 1), '.', 'it: must be a number'],
    [numberIn(0, 1), '0x1', 'it: must be a number'],
    [z.int().min(1).max(1000), 1e20, 'it: must be at most 1000'],
    [z.int(), 1e20, `it: must be at most ${Number.MAX_SAFE_INTEGER}`],
    [wholeIn(1, 100), ' 5', 'it: must be a number'],
    [wholeIn(1, 100), undefined, 'it: is required'],
    [numberIn(0, 1), '0.25', 0.25],
    [numberIn(0, 1), 'NaN', 'it: must be a number'],
    [numberIn(0, 1), '2', 'it: must be at most 1'],
    [idIn('grp'), toId('grp', id), id],
    [idIn('grp'), toId('kw', id), 'it: must be an id that starts with grp_'],
    [idIn('grp'), 'grp_', 'it: must be an id that starts with grp_'],
    [idIn('grp'), 5, 'it: must be text'],
    [lineIn(1, 5), '  a\u0000 \n b ', 'a b'],
    [lineIn(1, 5), '🦊🦊🦊🦊🦊', '🦊🦊🦊🦊🦊'],
    [lineIn(1, 5), 'abcdef', 'it: must have at most 5 characters'],
    [lineIn(2, 5), 'a', 'it: must have at least 2 characters'],
    [requestIdIn, 'no', 'it: must be a UUID'],
    [requestIdIn, '00000000000000000000000000000000', 'it: must be a UUID'],
    [requestIdIn, '{00000000-0000-0000-0000-000000000000}', 'it: must be a UUID'],
    [requestIdIn, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    [requestIdIn, '0190F3B2-7C1A-BCDE-0FFF-0123456789AB', '0190f3b2-7c1a-bcde-0fff-0123456789ab'],
    [exactIn(1, 5), ' a  b', ' a  b'],
    [exactIn(1, 5), 'e\u0301', 'e\u0301'],
    [exactIn(1, 5), '', 'it: must not be empty'],
    [exactIn(1, 5), 'abcdef', 'it: must have at most 5 characters'],
    [exactIn(1, 5), 'a\nb', 'it: must not hold control characters'],
    [exactIn(1, 5), 'a\u0085', 'it: must not hold control characters'],
    [exactIn(1, 5), '\ud800', 'it: must not hold half surrogate pairs'],
    [textOut(2), '🦊🦊', '🦊🦊'],
    [textOut(2), '🦊🦊🦊', 'it: must have at most 2 characters'],
    [
      z.union([z.strictObject({ kind: z.literal('a'), x: z.int() }), z.strictObject({ kind: z.literal('b') })]),
      { kind: 'a', x: 1.5 },
      'it.x: must be a whole number',
    ],
    [
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a') }),
        z.strictObject({ kind: z.literal('b') }),
      ]),
      { kind: 'c' },
      'it.kind: must be one of a, b',
    ],
    [
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a') }),
        z.strictObject({ kind: z.literal('b') }),
      ]),
      {},
      'it.kind: is required',
    ],
    [z.union([z.literal(5), z.null()]), 'x', 'it: has none of the documented forms'],
    [
      z.strictObject({ inner: z.strictObject({}) }),
      { inner: { 'bad\nname': 1 } },
      'it.inner.bad name: is not a field of this operation',
    ],
    [z.strictObject({}), { ['x'.repeat(5000)]: 1 }, `it.${'x'.repeat(96)}…: is not a field of this operation`],
    [z.strictObject({}), JSON.parse('{"__proto__":{"a":1}}'), 'it.__proto__: is not a field of this operation'],
    [
      z.strictObject({ a: z.int() }),
      JSON.parse('{"b":1,"constructor":{}}'),
      'it.constructor: is not a field of this operation',
    ],
    [z.strictObject({}), { '': 1 }, 'it: has a field without a name'],
  ])('%# is answered in plain words', (schema, value, answer) => expect(told(schema, value)).toEqual(answer))
})
