import { z } from 'zod'

export interface ObjectSchema {
  type: 'object'
  properties: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
}

export type JsonSchema = Record<string, unknown>

export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: {
    title?: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
  // The library takes only records.
  [key: string]: unknown
}

/**
 * Plain 2020-12 without references, formats, constants and root unions, because clients and models differ in what they
 * support.
 */
export function portableSchema(schema: z.ZodType, direction: 'input' | 'output'): ObjectSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: direction, target: 'draft-2020-12' }) as JsonSchema & {
    $defs?: Definitions
  }
  const plain = plainer(root, $defs, direction === 'input' ? NOT_ASKED : NOT_TOLD, []) as JsonSchema
  return asObject(plain)
}

type Definitions = Record<string, JsonSchema>

/** The operation checks these itself, and some clients reject them. */
const NOT_ASKED: ReadonlySet<string> = new Set(['$schema', '$defs', 'id', 'format', 'propertyNames', 'examples'])

/** Bounds of an answer help no reader and would double the length of the tool list. */
const NOT_TOLD: ReadonlySet<string> = new Set([
  ...NOT_ASKED,
  'additionalProperties',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
])

function plainer(
  value: unknown,
  definitions: Definitions,
  dropped: ReadonlySet<string>,
  within: readonly string[],
): unknown {
  if (Array.isArray(value)) return value.map((entry) => plainer(entry, definitions, dropped, within))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonSchema
  if (typeof schema['$ref'] === 'string')
    return { ...referred(schema['$ref'], definitions, dropped, within), ...described(schema) }
  const deeper = (inner: unknown) => plainer(inner, definitions, dropped, within)
  const plain: JsonSchema = {}
  for (const [word, inner] of Object.entries(schema)) {
    if (dropped.has(word) && !(word === 'additionalProperties' && typeof inner === 'object')) continue
    if (isNoBound(word, inner)) continue
    const [name, value] = plainerWord(word, inner, deeper)
    plain[name] = value
  }
  return withoutLength(plain)
}

function plainerWord(
  word: string,
  inner: unknown,
  deeper: (inner: unknown) => unknown,
): [word: string, value: unknown] {
  if (word === 'const') return ['enum', [inner]]
  if (word === 'oneOf') return ['anyOf', deeper(inner)]
  if (word === 'properties')
    return [word, withoutEchoes(mapped(inner as Definitions, (property) => deeper(property) as JsonSchema))]
  return [word, LITERAL.has(word) ? inner : deeper(inner)]
}

const ECHO_MIN = 5

/** A nested list with the fields of its parent, such as groups of a filter, does not repeat them. */
function withoutEchoes(properties: Definitions): Definitions {
  const names = new Set(Object.keys(properties))
  return mapped(properties, (schema) => {
    const fields = Object.keys(((schema['items'] as JsonSchema | undefined)?.['properties'] ?? {}) as object)
    if (fields.length < ECHO_MIN || !fields.every((name) => names.has(name))) return schema
    return {
      ...schema,
      items: { type: 'object', description: 'Fields of the same names and forms as those beside this list.' },
      ...unencoded(schema),
    }
  })
}

/** A query parameter takes the list as JSON text, a tool as a list. */
function unencoded({ description }: JsonSchema): JsonSchema {
  return typeof description === 'string' ? { description: description.replace(/^URL-encoded JSON: /, '') } : {}
}

const LITERAL: ReadonlySet<string> = new Set(['enum', 'default', 'required', 'type', 'description'])

/** Inlines a definition. A recursive one is a defect. */
function referred(
  reference: string,
  definitions: Definitions,
  dropped: ReadonlySet<string>,
  within: readonly string[],
): JsonSchema {
  const name = reference.replace('#/$defs/', '')
  if (within.includes(name)) throw new Error(`the schema ${name} contains itself, which a tool cannot show`)
  return plainer(definitions[name]!, definitions, dropped, [...within, name]) as JsonSchema
}

function described({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description }
}

/** The bounds of safe integers say nothing, and some clients cannot represent them. */
function isNoBound(word: string, value: unknown): boolean {
  return (word === 'maximum' || word === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
}

/** A pattern of ids gives their length. */
function withoutLength(schema: JsonSchema): JsonSchema {
  if (typeof schema['pattern'] !== 'string' || !/\{\d+\}\$$/.test(schema['pattern'])) return schema
  const { minLength: _min, maxLength: _max, ...rest } = schema
  return rest
}

function asObject(schema: JsonSchema): ObjectSchema {
  if (schema['type'] === 'object')
    return { ...schema, properties: schema['properties'] ?? {} } as unknown as ObjectSchema
  if (Array.isArray(schema['anyOf'])) return merged(schema['anyOf'] as ObjectSchema[])
  throw new Error(`a tool takes and gives objects, not ${JSON.stringify(schema['type'])}`)
}

/**
 * Merges several forms, since the root cannot be a union: all fields, requiring those that every form requires. The
 * operation still checks the single forms.
 */
function merged(forms: readonly ObjectSchema[]): ObjectSchema {
  const properties: Record<string, JsonSchema> = {}
  const names = [...new Set(forms.flatMap((form) => Object.keys(form.properties)))]
  for (const name of names) {
    const having = forms.filter((form) => name in form.properties)
    const schema = either(having.map((form) => form.properties[name]!))
    properties[name] =
      having.length === forms.length ? schema : { ...schema, description: onlyFor(having, forms, schema) }
  }
  const required = names.filter((name) => forms.every((form) => form.required?.includes(name)))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
}

function either(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  if (different.length === 1) return different[0]!
  if (different.every((schema) => Array.isArray(schema['enum'])))
    return { ...different[0], enum: [...new Set(different.flatMap((schema) => schema['enum'] as unknown[]))] }
  return { anyOf: different }
}

function onlyFor(having: readonly ObjectSchema[], forms: readonly ObjectSchema[], { description }: JsonSchema): string {
  const told = Object.keys(forms[0]!.properties).find((name) =>
    forms.every((form) => (form.properties[name]?.['enum'] as unknown[] | undefined)?.length === 1),
  )
  const needed = having.filter((form) => told !== undefined && form.properties[told] !== undefined)
  const values = needed.map((form) => String((form.properties[told!]!['enum'] as unknown[])[0]))
  return [description, values.length === 0 ? '' : `Only with ${told} ${values.join(' or ')}.`].filter(Boolean).join(' ')
}

function mapped<Value, Result>(record: Record<string, Value>, to: (value: Value) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
}
