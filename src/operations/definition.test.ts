import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { createGroup } from '../commands/groups/create-group.ts'
import { refuse } from '../domain/refusal/refusal.ts'
import type { Uuid } from '../kernel/ids.ts'
import { alreadyThere } from './already-there.ts'
import { codesOf, defineOperation } from './definition.ts'
import { booleanIn, idIn, timeIn } from './shapes.ts'
import { streamed } from './streamed.ts'

// Most of what is promised here is kept by the compiler: a line marked as an error that is none fails the type check.

const about = {
  id: 'try',
  path: '/v1/try',
  summary: 'Try',
  description: 'Tries.',
  tag: 'Service',
  tool: { hidden: 'It is a test.' },
} as const
const output = z.strictObject({ ok: z.boolean() })
const writes = { ...about, method: 'POST', access: 'write', status: 200, output } as const
const reads = { ...about, method: 'GET', access: 'read', status: 200, output } as const
const quiet = { ...about, status: 204, errors: [], run: async () => undefined } as const

test('a refusal whose code is not declared does not compile', () => {
  defineOperation({ ...writes, errors: ['default_group'], run: async () => refuse('default_group', 'declared') })
  defineOperation({
    ...writes,
    errors: ['default_group'],
    // @ts-expect-error key_limit is not among the declared codes.
    run: async () => refuse('key_limit', 'forgotten'),
  })
  defineOperation({
    ...reads,
    params: { id: idIn('grp') },
    errors: [],
    run: async () => refuse('not_found', 'implied by the parameter'),
  })
  defineOperation({
    ...reads,
    errors: [],
    // @ts-expect-error Without a path parameter not_found has to be declared.
    run: async () => refuse('not_found', 'forgotten'),
  })
  defineOperation({
    ...reads,
    // @ts-expect-error A code has to be one of the table.
    errors: ['no_such_code'],
    run: async () => ({ ok: true }),
  })
})

test('a read operation cannot hand its context to a command', () => {
  const group = z.any()
  defineOperation({
    ...writes,
    output: group,
    errors: ['duplicate_group'],
    run: (context) => createGroup(context, { name: 'a' }),
  })
  defineOperation({
    ...reads,
    output: group,
    errors: ['duplicate_group'],
    // @ts-expect-error The context of a read operation lacks what a command needs to write.
    run: (context) => createGroup(context, { name: 'b' }),
  })
  defineOperation({
    ...reads,
    access: 'open',
    output: group,
    errors: ['duplicate_group'],
    // @ts-expect-error Without a credential there is no workspace to write to.
    run: (context) => createGroup(context, { name: 'c' }),
  })
})

test('an answer of another form than declared does not compile', () => {
  defineOperation({
    ...reads,
    errors: [],
    // @ts-expect-error ok is to be true or false.
    run: async () => ({ ok: 'yes' }),
  })
  defineOperation({
    ...reads,
    errors: [],
    // @ts-expect-error Something has to be answered.
    run: async () => undefined,
  })
  defineOperation({
    ...reads,
    streams: 'text/csv',
    errors: [],
    // @ts-expect-error What streams has to answer with a stream.
    run: async () => ({ ok: true }),
  })
  async function* chunks() {
    yield 'a'
  }
  defineOperation({ ...reads, streams: 'text/csv', errors: [], run: async () => streamed(chunks()) })
})

test('only an operation that says so answers with what was there already', () => {
  defineOperation({ ...writes, status: 201, again: 200, errors: [], run: async () => alreadyThere({ ok: true }) })
  defineOperation({ ...writes, status: 201, again: 200, errors: [], run: async () => ({ ok: true }) })
  defineOperation({
    ...writes,
    status: 201,
    errors: [],
    // @ts-expect-error It has no status for such an answer.
    run: async () => alreadyThere({ ok: true }),
  })
  defineOperation({
    ...writes,
    status: 201,
    again: 200,
    errors: [],
    // @ts-expect-error What was there has the form of what is made.
    run: async () => alreadyThere({ ok: 'yes' }),
  })
})

test('what only people may do is handed a person, and may refuse them by their role', () => {
  defineOperation({
    ...writes,
    peopleOnly: true,
    errors: [],
    run: async ({ caller }) => {
      expectTypeOf(caller.user.id).toEqualTypeOf<Uuid>()
      return caller.role === 'owner' ? { ok: true } : refuse('forbidden', 'implied')
    },
  })
  defineOperation({
    ...writes,
    errors: [],
    // @ts-expect-error An API key is no person.
    run: async ({ caller }) => ({ ok: caller.user.id !== '' }),
  })
  defineOperation({
    ...writes,
    errors: [],
    // @ts-expect-error Where keys may act too, forbidden has to be declared.
    run: async () => refuse('forbidden', 'forgotten'),
  })
})

test('run is handed what the fields were parsed to', () => {
  defineOperation({
    ...quiet,
    method: 'PATCH',
    access: 'write',
    params: { id: idIn('grp') },
    query: { on: booleanIn().optional() },
    body: z.strictObject({ at: timeIn() }),
    run: async (_, { params, query, body }) => {
      expectTypeOf(params.id).toEqualTypeOf<Uuid>()
      expectTypeOf(query.on).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(body.at).toEqualTypeOf<Date>()
      return undefined
    },
  })
})

test('the codes of an operation follow from its access, method and parameters', () => {
  const open = defineOperation({ ...quiet, method: 'GET', access: 'open' })
  expect(codesOf(open)).toEqual(['validation_error', 'internal_error'])
  const read = defineOperation({ ...quiet, method: 'GET', access: 'read' })
  expect(codesOf(read)).toEqual([
    'unauthorized',
    'validation_error',
    'rate_limited',
    'workspace_moved',
    'query_timeout',
    'database_unavailable',
    'cell_unavailable',
    'database_not_ready',
    'internal_error',
  ])
  const write = defineOperation({
    ...quiet,
    method: 'DELETE',
    access: 'write',
    params: { id: idIn('grp') },
    errors: ['default_group'],
  })
  expect(codesOf(write).filter((code) => !codesOf(read).includes(code))).toEqual([
    'read_only_key',
    'not_found',
    'unsupported_media_type',
    'payload_too_large',
    'request_timeout',
    'conflict',
    'workspace_moving',
    'default_group',
  ])
})
