import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CATALOGUE } from '../../operations/catalogue.ts'
import { defineOperation, type Operation } from '../../operations/definition.ts'
import { SINGLE_FILTERS } from '../../operations/filter-shapes.ts'
import type { ListForm } from './compact.ts'
import { CORE_TOOLS } from './core.ts'
import { GUIDES } from './guides.ts'
import { type ListedTool, portableSchema } from './schemas.ts'
import { toolsOf } from './tools.ts'

const TOOLS = toolsOf(CATALOGUE)

/** Words of JSON Schema that every known client and model interface reads. */
const PLAIN = [
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'anyOf',
  'default',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
]

test('every operation that does not say why not is a tool', () => {
  expect(TOOLS.map(({ operation }) => operation)).toEqual(CATALOGUE.filter(({ tool }) => 'name' in tool))
})

test('the short list names tools that exist', () => {
  const names = TOOLS.map(({ whole }) => whole.name)
  expect([...CORE_TOOLS].filter((name) => !names.includes(name))).toEqual([])
})

describe.each(TOOLS)('$whole.name', ({ operation, whole }) => {
  test('says honestly what it does', () => {
    expect(whole.name).toMatch(/^[a-z_]{1,64}$/)
    expect(whole.annotations.readOnlyHint).toBe(operation.method === 'GET')
    if (operation.method === 'DELETE') expect(whole.annotations.destructiveHint).toBe(true)
    if (operation.method === 'GET')
      expect(whole.annotations).toMatchObject({ destructiveHint: false, idempotentHint: true })
  })

  test('takes and gives plain objects', () => {
    for (const schema of [whole.inputSchema, whole.outputSchema]) {
      expect(schema.type).toBe('object')
      expect(
        Object.keys(schema).filter(
          (word) => !['type', 'properties', 'required', 'additionalProperties'].includes(word),
        ),
      ).toEqual([])
      expect(wordsOf(schema).filter((word) => !PLAIN.includes(word))).toEqual([])
    }
    expect(whole.inputSchema.additionalProperties).toBe(false)
  })

  test('takes path, query and body in one object', () => {
    const names = [
      ...Object.keys(operation.params.shape),
      ...Object.keys(operation.query.shape),
      ...(operation.hasBody ? fieldsOf(operation.body) : []),
    ]
    expect(Object.keys(whole.inputSchema.properties).sort()).toEqual(names.sort())
  })

  test('has room in its output for a refusal', () => {
    expect(whole.outputSchema.required).toBeUndefined()
    const error = whole.outputSchema.properties['error']!
    // A text of the answer's own may stand in the same place.
    const branches = (error['anyOf'] as Record<string, unknown>[] | undefined) ?? [error]
    expect(branches.at(-1)).toMatchObject({ type: 'object', required: ['code', 'message', 'requestId'] })
    for (const own of branches.slice(0, -1)) expect(['string', 'null']).toContain(own['type'])
  })
})

test('what asks platforms or a language model, sends something, or says where data goes from then on, reaches outside', () => {
  const outside = TOOLS.filter(({ whole }) => whole.annotations.openWorldHint).map(({ whole }) => whole.name)
  expect(outside).toEqual([
    'update_filters',
    'update_filter_entries',
    'create_keyword',
    'create_keywords',
    'update_keyword',
    'get_keyword_health',
    'list_keyword_suggestions',
    'search_platforms',
    'create_channel',
    'update_channel',
    'create_confirmation',
    'connect_channel',
    'test_channel',
    'set_presets',
    'connect_slack',
    'disconnect_slack',
    'list_slack_channels',
    'create_alert',
    'update_alert',
    'run_alert',
    'test_alert',
    'retry_delivery',
    'replay_delivery',
  ])
})

test('what lets people in, moves money or answers a secret is no tool', () => {
  const names = TOOLS.map(({ operation }) => operation.id)
  const kept = [
    'create-api-key',
    'invite-member',
    'update-member',
    'remove-member',
    'create-top-up',
    'update-auto-recharge',
    'rotate-secret',
    'rotate-feed-token',
  ]
  expect(names.filter((name) => kept.includes(name))).toEqual([])
})

test('two inputs of one name are a defect', () => {
  expect(() => toolsOf([operationWith({ query: { id: z.string().max(5) } })])).toThrow(
    'make-thing has two inputs named id',
  )
})

test('an answer in portions, without a credential, or with a field named error that is no text cannot be a tool', () => {
  expect(() => toolsOf([{ ...operationWith({}), streams: 'text/csv' }])).toThrow('answered in portions')
  expect(() => toolsOf([{ ...operationWith({}), access: 'open' }])).toThrow('needs no credential')
  expect(() => toolsOf([{ ...operationWith({}), output: z.strictObject({ error: z.strictObject({}) }) }])).toThrow(
    'could not be told from a refusal',
  )
})

describe('lists', () => {
  const list = (form: ListForm) => TOOLS.map(({ listed }) => listed[form])
  const bytesOf = (listed: readonly ListedTool[]) => Buffer.byteLength(JSON.stringify(listed))

  test('are short enough for a model: 25 tools in 40 kB, all tools in 150 kB', () => {
    const short = [...list('short').filter(({ name }) => CORE_TOOLS.has(name)), ...GUIDES]
    expect(short.length).toBeLessThanOrEqual(25)
    expect(bytesOf(short)).toBeLessThanOrEqual(40_000)
    expect(bytesOf(list('all'))).toBeLessThanOrEqual(150_000)
  })

  test.each(['all', 'short'] as const)('hold plain objects and no bounds of length in the form %s', (form) => {
    for (const { inputSchema, outputSchema } of list(form))
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type).toBe('object')
        expect(
          wordsOf(schema).filter((word) => !PLAIN.includes(word) || /^(pattern|.*(Length|Items))$/.test(word)),
        ).toEqual([])
      }
  })

  test('of all tools name every field, without those that repeat a list in the singular', () => {
    for (const { whole, listed } of TOOLS) {
      const isNamed = (name: string) => !('sentiments' in whole.inputSchema.properties && SINGLE_FILTERS.has(name))
      expect(Object.keys(listed.all.inputSchema.properties)).toEqual(
        Object.keys(whole.inputSchema.properties).filter(isNamed),
      )
      expect(listed.all.inputSchema.required).toEqual(whole.inputSchema.required)
      expect(Object.keys(listed.all.outputSchema.properties)).toEqual(Object.keys(whole.outputSchema.properties))
    }
  })

  test('describe the filter of mentions once, and the short one takes fields that it does not name', () => {
    const [guide, count] = ['search_mentions', 'count_mentions'].map(
      (name) => TOOLS.find(({ whole }) => whole.name === name)!.listed,
    )
    expect(guide!.short.inputSchema).toMatchObject({
      properties: { minFollowers: { description: expect.any(String) } },
      additionalProperties: false,
    })
    expect(count!.all.description).toContain('mean what they mean in search_mentions')
    expect(count!.all.inputSchema.properties['minFollowers']).toEqual({ type: 'number' })
    expect(count!.short.description).toContain('every filter field of search_mentions')
    expect(count!.short.inputSchema.properties['minFollowers']).toBeUndefined()
    expect(count!.short.inputSchema.additionalProperties).toBe(true)
  })
})

describe('schemas', () => {
  test('a named schema is written out where it is used', () => {
    const named = z.strictObject({ a: z.string() }).meta({ id: 'Named', description: 'One.' })
    const { properties } = portableSchema(
      z.strictObject({ one: named, two: named.meta({ description: 'Another.' }) }),
      'output',
    )
    expect(properties['one']).toEqual({
      type: 'object',
      description: 'One.',
      properties: { a: { type: 'string' } },
      required: ['a'],
    })
    expect(properties['two']).toMatchObject({ description: 'Another.', properties: { a: { type: 'string' } } })
  })

  test('a schema that contains itself is a defect', () => {
    const node: z.ZodType = z.lazy(() => z.strictObject({ child: node.optional() })).meta({ id: 'Node' })
    expect(() => portableSchema(z.strictObject({ node }), 'input')).toThrow('contains itself')
  })

  test('forms that a field tells apart become one object', () => {
    const forms = z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('a'),
        shared: z.string().max(5),
        own: z.int().min(0).max(9).meta({ description: 'A number.' }),
      }),
      z.strictObject({ kind: z.literal('b'), shared: z.string().max(5).optional() }),
    ])
    expect(portableSchema(forms, 'input')).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        shared: { type: 'string', maxLength: 5 },
        own: { type: 'integer', minimum: 0, maximum: 9, description: 'A number. Only with kind a.' },
      },
      required: ['kind'],
      additionalProperties: false,
    })
  })

  test('fields named like words of JSON Schema stay fields', () => {
    const { properties } = portableSchema(
      z.strictObject({ format: z.string(), const: z.string(), examples: z.string(), pattern: z.string() }),
      'output',
    )
    expect(Object.keys(properties)).toEqual(['format', 'const', 'examples', 'pattern'])
  })
})

function operationWith(parts: { query?: Record<string, z.ZodType> }): Operation {
  return defineOperation({
    id: 'make-thing',
    method: 'POST',
    path: '/v1/things/{id}',
    access: 'write',
    summary: 'Make a thing',
    description: 'Makes a thing.',
    tag: 'Service',
    params: { id: z.string().max(5) },
    status: 204,
    errors: [],
    tool: { name: 'create_thing', title: 'Make a thing', destructive: false, idempotent: true },
    run: async () => undefined,
    ...parts,
  })
}

function wordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([word, inner]) => {
    if (word === 'properties')
      return [word, ...Object.values(inner as object).flatMap((property) => wordsOf(property as object))]
    if (word === 'items' || (word === 'additionalProperties' && typeof inner === 'object'))
      return [word, ...wordsOf(inner as object)]
    if (word === 'anyOf') return [word, ...(inner as object[]).flatMap(wordsOf)]
    return [word]
  })
}

function fieldsOf(body: z.ZodType): string[] {
  const inner = body instanceof z.ZodOptional ? (body.unwrap() as z.ZodType) : body
  const forms =
    inner instanceof z.ZodDiscriminatedUnion || inner instanceof z.ZodUnion
      ? (inner.options as unknown as z.ZodObject[])
      : [unwrapped(inner)]
  return [...new Set(forms.flatMap((form) => Object.keys(form.shape)))]
}

/** Bodies may be checked across fields, which wraps nothing, or changed afterwards, which does. */
function unwrapped(body: z.ZodType): z.ZodObject {
  const { in: inner } = body.def as { in?: z.ZodType }
  return inner === undefined ? (body as z.ZodObject) : unwrapped(inner)
}
