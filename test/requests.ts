import type { IdPrefix } from '../src/kernel/ids.ts'
import type { Operation } from '../src/operations/definition.ts'
import { createSchemaBook, type JsonSchema } from '../src/surfaces/openapi/schemas.ts'

/** A value inside a request that names a thing of the workspace. */
export interface IdPlace {
  part: 'params' | 'query' | 'body'
  path: readonly (string | number)[]
  prefix: IdPrefix
}

/** Answers an id of this kind for places that are not the one under test. */
export type OwnIds = (prefix: IdPrefix) => Promise<string>

/** A request as it goes over the wire. */
export interface SampleRequest {
  method: string
  path: string
  body: unknown
}

interface Parts {
  params: JsonSchema
  query: JsonSchema
  body: JsonSchema | null
  named: Record<string, JsonSchema>
}

const PARTS = ['params', 'query', 'body'] as const

/** Every place of an operation's requests that takes an id, found in its schemas. */
export function idPlacesOf(operation: Operation): IdPlace[] {
  const parts = partsOf(operation)
  return PARTS.flatMap((part) => {
    const schema = parts[part]
    return schema === null ? [] : placesIn(schema, parts.named).map((place) => ({ part, ...place }))
  })
}

/**
 * The smallest request that the schemas of an operation allow, with `id` at `place`. What schemas do not tell is taken
 * from the examples of a body: one that is refused for its form needs such an example.
 */
export async function sampleRequest(
  operation: Operation,
  own: OwnIds,
  place?: IdPlace & { id: string },
): Promise<SampleRequest> {
  const parts = partsOf(operation)
  const valueFor = async (part: (typeof PARTS)[number]) => {
    const schema = parts[part]
    if (schema === null) return undefined
    const here = place?.part === part ? place : undefined
    const value = await sample(schema, parts.named, own, here?.path)
    return here === undefined ? value : withValue(value, here.path, here.id)
  }
  const params = (await valueFor('params')) as Record<string, string>
  const query = (await valueFor('query')) as Record<string, unknown>
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => inQuery(value).map((text): [string, string] => [name, text])),
  )
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!))
  return {
    method: operation.method,
    path: search.size === 0 ? path : `${path}?${search}`,
    body: await valueFor('body'),
  }
}

/** Lists are repeated; what has an inside is sent as JSON. */
function inQuery(value: unknown): string[] {
  const entries = Array.isArray(value) ? value : [value]
  return entries.some((entry) => entry !== null && typeof entry === 'object')
    ? [JSON.stringify(value)]
    : entries.map(String)
}

function partsOf(operation: Operation): Parts {
  const book = createSchemaBook()
  const params = book.schemaOf(operation.params, 'input')
  const query = book.schemaOf(operation.query, 'input')
  const body = operation.hasBody ? book.schemaOf(operation.body, 'input') : null
  return { params, query, body, named: book.named() }
}

type Path = readonly (string | number)[]
type Named = Record<string, JsonSchema>

function placesIn(schema: JsonSchema, named: Named, depth = 0): { path: Path; prefix: IdPrefix }[] {
  if (depth > 12) return []
  const real = resolved(schema, named)
  const prefix = typeof real['pattern'] === 'string' ? /^\^([a-z]+)_\[0-7\]/.exec(real['pattern'])?.[1] : undefined
  if (prefix !== undefined) return [{ path: [], prefix: prefix as IdPrefix }]
  const below = (inner: JsonSchema, step: string | number) =>
    placesIn(inner, named, depth + 1).map((place) => ({ ...place, path: [step, ...place.path] }))
  return [
    ...Object.entries((real['properties'] ?? {}) as Named).flatMap(([name, inner]) => below(inner, name)),
    ...(real['items'] ? below(real['items'] as JsonSchema, 0) : []),
    ...branchesOf(real).flatMap((branch) => placesIn(branch, named, depth + 1)),
  ]
}

async function sample(schema: JsonSchema, named: Named, own: OwnIds, wanted?: Path): Promise<unknown> {
  const real = resolved(schema, named)
  const branches = branchesOf(real)
  if (branches.length > 0) {
    const branch = branches.find((candidate) => wanted !== undefined && holds(candidate, wanted, named)) ?? branches[0]!
    return sample(branch, named, own, wanted)
  }
  const examples = real['examples'] as unknown[] | undefined
  if (real['type'] === 'object')
    return {
      ...((examples?.[0] ?? {}) as object),
      ...(await sampleObject(real, named, own, wanted, examples?.[0] as object | undefined)),
    }
  if (examples !== undefined && real['type'] !== 'array') return examples[0]
  if ('default' in real && wanted === undefined) return real['default']
  if ('const' in real) return real['const']
  if (Array.isArray(real['enum'])) return real['enum'][0]
  const type = Array.isArray(real['type']) ? real['type'].find((name) => name !== 'null') : real['type']
  switch (type) {
    case 'array': {
      const [, ...rest] = wanted ?? []
      const count = wanted === undefined ? Number(real['minItems'] ?? 0) : 1
      return Promise.all(
        Array.from({ length: count }, () =>
          sample(real['items'] as JsonSchema, named, own, wanted === undefined ? undefined : rest),
        ),
      )
    }
    case 'string':
      return sampleText(real, own)
    case 'integer':
    case 'number':
      return Math.max(0, Number(real['minimum'] ?? 0))
    case 'boolean':
      return true
    default:
      return null
  }
}

async function sampleObject(
  real: JsonSchema,
  named: Named,
  own: OwnIds,
  wanted: Path | undefined,
  example: object | undefined,
): Promise<object> {
  const properties = (real['properties'] ?? {}) as Named
  const required = (real['required'] ?? []) as string[]
  const value: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(properties)) {
    const onTheWay = wanted?.[0] === name
    if (onTheWay || (required.includes(name) && !(example !== undefined && name in example))) {
      value[name] = await sample(inner, named, own, onTheWay && wanted!.length > 1 ? wanted!.slice(1) : undefined)
    }
  }
  return value
}

async function sampleText(real: JsonSchema, own: OwnIds): Promise<string> {
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(String(real['pattern'] ?? ''))?.[1]
  if (prefix !== undefined) return own(prefix as IdPrefix)
  if (real['format'] === 'uuid') return '0f8fad5b-d9cb-469f-a165-70867728950e'
  if (real['format'] === 'date-time') return '2026-11-20T08:00:00Z'
  return 'sample'.padEnd(Number(real['minLength'] ?? 1), 'x').slice(0, Number(real['maxLength'] ?? 100))
}

function resolved(schema: JsonSchema, named: Named): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : null
  return name === null ? schema : resolved(named[name]!, named)
}

function branchesOf(schema: JsonSchema): JsonSchema[] {
  return ((schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[]).filter((branch) => branch['type'] !== 'null')
}

function holds(schema: JsonSchema, wanted: Path, named: Named): boolean {
  return placesIn(schema, named).some(({ path }) => path.join('.') === wanted.join('.'))
}

function withValue(whole: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(whole)) return whole.map((entry, at) => (at === step ? withValue(entry, rest, value) : entry))
  return { ...(whole as object), [step]: withValue((whole as Record<string, unknown>)[step], rest, value) }
}
