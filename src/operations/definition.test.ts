import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { createGroup } from '../commands/groups/create-group.ts'
import type { Uuid } from '../kernel/ids.ts'
import { refuse } from '../kernel/refusal.ts'
import { codesOf, defineOperation } from './definition.ts'
import { booleanIn, idIn, timeIn } from './shapes.ts'
import { streamed } from './streamed.ts'

const base = {
  summary: 'Try',
  description: 'Tries.',
  tag: 'Service',
  tool: { hidden: 'It is a test.' },
} as const

test('a refusal whose code is not declared does not compile', () => {
  const output = z.strictObject({ ok: z.boolean() })
  defineOperation({ ...base, id: 'a', method: 'POST', path: '/v1/a', access: 'write', status: 200, output, errors: ['conflict'], run: async () => refuse('conflict', 'declared') })
  // @ts-expect-error key_limit is not among the declared codes.
  defineOperation({ ...base, id: 'b', method: 'POST', path: '/v1/b', access: 'write', status: 200, output, errors: ['conflict'], run: async () => refuse('key_limit', 'forgotten') })
  // @ts-expect-error Without a path parameter not_found has to be declared.
  defineOperation({ ...base, id: 'c', method: 'GET', path: '/v1/c', access: 'read', status: 200, output, errors: [], run: async () => refuse('not_found', 'forgotten') })
  defineOperation({ ...base, id: 'd', method: 'GET', path: '/v1/d/{id}', access: 'read', params: { id: idIn('grp') }, status: 200, output, errors: [], run: async () => refuse('not_found', 'implied') })
  // @ts-expect-error A code has to be one of the table.
  defineOperation({ ...base, id: 'e', method: 'GET', path: '/v1/e', access: 'read', status: 200, output, errors: ['no_such_code'], run: async () => ({ ok: true }) })
})

test('a read operation cannot hand its context to a command', () => {
  const output = z.any()
  const write = defineOperation({ ...base, id: 'a', method: 'POST', path: '/v1/a', access: 'write', status: 200, output, errors: ['duplicate_group'], run: (context) => createGroup(context, { name: 'a' }) })
  expect(write.access).toBe('write')
  // @ts-expect-error The context of a read operation lacks what a command needs to write.
  defineOperation({ ...base, id: 'b', method: 'GET', path: '/v1/b', access: 'read', status: 200, output, errors: ['duplicate_group'], run: (context) => createGroup(context, { name: 'b' }) })
  // @ts-expect-error Without credential there is no workspace to write to.
  defineOperation({ ...base, id: 'c', method: 'GET', path: '/v1/c', access: 'open', status: 200, output, errors: ['duplicate_group'], run: (context) => createGroup(context, { name: 'c' }) })
})

test('an answer of another form than declared does not compile', () => {
  const output = z.strictObject({ ok: z.boolean() })
  // @ts-expect-error ok is to be true or false.
  defineOperation({ ...base, id: 'a', method: 'GET', path: '/v1/a', access: 'read', status: 200, output, errors: [], run: async () => ({ ok: 'yes' }) })
  // @ts-expect-error Something has to be answered.
  defineOperation({ ...base, id: 'b', method: 'GET', path: '/v1/b', access: 'read', status: 200, output, errors: [], run: async () => undefined })
  // @ts-expect-error What streams has to answer with a stream.
  defineOperation({ ...base, id: 'c', method: 'GET', path: '/v1/c', access: 'read', status: 200, output, streams: 'text/csv', errors: [], run: async () => ({ ok: true }) })
  async function* chunks() {
    yield 'a'
  }
  defineOperation({ ...base, id: 'd', method: 'GET', path: '/v1/d', access: 'read', status: 200, output, streams: 'text/csv', errors: [], run: async () => streamed(chunks()) })
})

test('run is handed what the fields were parsed to', () => {
  defineOperation({
    ...base,
    id: 'a',
    method: 'PATCH',
    path: '/v1/a/{id}',
    access: 'write',
    params: { id: idIn('grp') },
    query: { on: booleanIn().optional() },
    body: z.strictObject({ at: timeIn() }),
    status: 204,
    errors: [],
    run: async (_, { params, query, body }) => {
      expectTypeOf(params.id).toEqualTypeOf<Uuid>()
      expectTypeOf(query.on).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(body.at).toEqualTypeOf<Date>()
    },
  })
})

test('the codes of an operation follow from its access, method and parameters', () => {
  const read = defineOperation({ ...base, id: 'a', method: 'GET', path: '/v1/a', access: 'read', status: 204, errors: [], run: async () => undefined })
  expect(codesOf(read)).toEqual(['unauthorized', 'validation_error', 'rate_limited', 'database_unavailable', 'internal_error'])
  const write = defineOperation({ ...base, id: 'b', method: 'DELETE', path: '/v1/b/{id}', access: 'write', params: { id: idIn('grp') }, status: 204, errors: ['default_group'], run: async () => undefined })
  expect(codesOf(write).filter((code) => !codesOf(read).includes(code))).toEqual([
    'read_only_key',
    'not_found',
    'unsupported_media_type',
    'payload_too_large',
    'request_timeout',
    'default_group',
  ])
  const open = defineOperation({ ...base, id: 'c', method: 'GET', path: '/v1/c', access: 'open', status: 204, errors: [], run: async () => undefined })
  expect(codesOf(open)).toEqual(['validation_error', 'internal_error'])
})
