import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonFrom, readJson, retryAfterFrom, saidIn, secondsUntil } from './reply-fault.ts'

const AT = new Date('2026-11-21T12:00:00Z')
const shape = z.object({ items: z.array(z.string()) })
const reply = (status: number, body: string, headers = {}) => ({ status, headers, body })

test.each([
  [429, 'throttled'],
  [401, 'credentials'],
  [403, 'credentials'],
  [404, 'gone'],
  [410, 'gone'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [408, 'unavailable'],
  [302, 'unavailable'],
  [400, 'shape_changed'],
  [422, 'shape_changed'],
])('status %i is %s, whatever the body says', (status, kind) => {
  expect(() => readJson(reply(status, '{"items":[]}'), shape, AT)).toThrow(
    expect.objectContaining({ name: 'SourceFault', kind }),
  )
})

test('a good reply is read, one of another form is shape_changed', () => {
  expect(readJson(reply(200, '{"items":["a"],"more":1}'), shape, AT)).toEqual({ items: ['a'] })
  for (const body of ['', '<html>', '{"items":', 'null', '{}', '{"items":[1]}'])
    expect(() => readJson(reply(200, body), shape, AT)).toThrow(expect.objectContaining({ kind: 'shape_changed' }))
})

test('a wait is asked for in seconds or by date, and bounded by a day', () => {
  expect(
    [
      '7',
      ' 0 ',
      'Sat, 21 Nov 2026 12:01:30 GMT',
      'Sat, 21 Nov 2026 11:00:00 GMT',
      '999999999',
      'soon',
      '-1',
      '',
      undefined,
    ].map((header) => retryAfterFrom(header, AT)),
  ).toEqual([7, 0, 90, 0, 86_400, null, null, null, null])
  expect(() => readJson(reply(429, '', { 'retry-after': '7' }), shape, AT)).toThrow(
    expect.objectContaining({ retryAfterSeconds: 7 }),
  )
})

test('an instant in Unix seconds is a wait from nothing to a day', () => {
  const atSeconds = AT.getTime() / 1000
  expect(
    [atSeconds + 7, atSeconds - 7, atSeconds + 999_999, ` ${atSeconds} `, 'soon', '', undefined].map((header) =>
      secondsUntil(header?.toString(), AT),
    ),
  ).toEqual([7, 0, 86_400, 0, null, null, null])
  expect(secondsUntil(String(atSeconds + 7), new Date(AT.getTime() + 1)), 'begun seconds are waited for').toBe(7)
})

test('what a platform says of a refusal is read where it says anything', () => {
  expect(saidIn(reply(400, '{"items":["a"]}'), shape)).toEqual({ items: ['a'] })
  for (const body of ['', '<html>', '{"items":', 'null', '{}']) expect(saidIn(reply(400, body), shape)).toBeNull()
})

test('a text that is no JSON is shape_changed', () => {
  expect(jsonFrom('[1]')).toEqual([1])
  expect(() => jsonFrom('[1')).toThrow(expect.objectContaining({ kind: 'shape_changed' }))
})
