import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Uuid } from '../kernel/ids.ts'
import { cursorText, readCursorText, readPlace } from './cursor.ts'

const uuids = fc.uuid().map((uuid) => uuid as Uuid)

test('a cursor leads back to its item, under its own sort only', () => {
  fc.assert(
    fc.property(uuids, (uuid) => {
      const cursor = cursorText('newest', uuid)
      expect(cursor).toMatch(/^[\w-]{1,200}$/)
      expect([readCursorText('newest', cursor), readCursorText('priority', cursor)]).toEqual([uuid, null])
    }),
  )
})

test('the marks of a sort come back, and no other number of them is read', () => {
  const marks = fc.array(fc.integer({ min: -1e14, max: 1e14 }), { maxLength: 3 })
  fc.assert(
    fc.property(uuids, marks, (uuid, sent) => {
      const cursor = cursorText('priority', uuid, sent)
      expect(readPlace('priority', cursor, sent.length)).toEqual({ last: uuid, marks: sent })
      expect([readPlace('priority', cursor, sent.length + 1), readPlace('newest', cursor, sent.length)]).toEqual([
        null,
        null,
      ])
    }),
  )
})

test('any other text is no cursor', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => readCursorText('newest', text) === null))
})

test.each([
  '',
  'newest 01900000-0000-7000-8000-000000000001',
  Buffer.from('newest').toString('base64url'),
  Buffer.from('newest 01900000-0000-7000-8000-000000000001 more').toString('base64url'),
  Buffer.from('newest 01900000-0000-7000-8000-00000000000G').toString('base64url'),
  `${cursorText('newest', '01900000-0000-7000-8000-000000000001' as Uuid)}=`,
  'x'.repeat(201),
])('%j is none', (text) => {
  expect(readCursorText('newest', text)).toBeNull()
})
