import { type SampleRequest, sampleRequest } from '../../../test/requests.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { createSchemaBook } from '../openapi/schemas.ts'
import type { CompatOperation } from './define.ts'

/** A value in a request that stands for a thing of the workspace. */
export interface NumberPlace {
  operation: CompatOperation
  part: 'params' | 'query' | 'body'
  path: readonly string[]
}

const DIGITS = '^\\d{1,16}$'

/** Every place that takes a number of a thing, found in the schemas. */
export function numberPlaces(catalogue: readonly CompatOperation[]): NumberPlace[] {
  return catalogue.flatMap((operation) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      if (part === 'body' && !operation.hasBody) return []
      const book = createSchemaBook()
      const schema = book.schemaOf(operation[part], 'input')
      const found = placesIn(schema, book.named(), [])
      return [...new Map(found.map((path) => [path.join('.'), { operation, part, path }])).values()]
    }),
  )
}

function placesIn(schema: JsonSchema, named: Record<string, JsonSchema>, path: readonly string[]): string[][] {
  if (path.length > 8) return []
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : null
  const real = name === null ? schema : named[name]!
  if (real['pattern'] === DIGITS) return [[...path]]
  const branches = [...((real['anyOf'] ?? []) as JsonSchema[]), ...((real['oneOf'] ?? []) as JsonSchema[])]
  return [
    ...Object.entries((real['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([key, inner]) =>
      placesIn(inner, named, [...path, key]),
    ),
    ...(real['items'] ? placesIn(real['items'] as JsonSchema, named, [...path, '0']) : []),
    ...branches.flatMap((branch) => placesIn(branch, named, path)),
  ]
}

/** The names of a body's fields, over all its forms. */
export function fieldsOf(operation: CompatOperation): string[] {
  const book = createSchemaBook()
  const schema = book.schemaOf(operation.body, 'input')
  const named = book.named()
  const real = (one: JsonSchema): JsonSchema =>
    typeof one['$ref'] === 'string' ? named[one['$ref'].split('/').at(-1)!]! : one
  const whole = real(schema)
  const forms = [whole, ...((whole['anyOf'] ?? whole['oneOf'] ?? []) as JsonSchema[]).map(real)]
  return [...new Set(forms.flatMap((form) => Object.keys((form['properties'] ?? {}) as object)))]
}

/** Bodies for operations whose schemas do not say what is enough. */
const BODIES: Readonly<Record<string, object>> = {
  'compat-create-keyword': { keyword: 'sample term' },
  'compat-update-keyword': { caseSensitive: false },
  'compat-create-feed': { name: 'Sample', icon: 'BellIcon' },
  'compat-update-feed': { name: 'Sample' },
  'compat-update-global-filters': { negativeKeywords: ['sample'] },
  'compat-add-global-filters': { list: 'negativeKeywords', values: ['sample'] },
  'compat-remove-global-filters': { list: 'negativeKeywords', values: ['sample'] },
  'compat-update-org': { name: 'Sample' },
  'compat-update-company': { name: 'Sample' },
  'compat-update-mention': { action: 'engage', engaged: true },
  'compat-create-feedback': { sourceId: 'mm_sample', feedbackType: 'RELEVANT' },
  'compat-delete-feedback': { sourceId: 'mm_sample' },
}

/** A request that an operation takes, which names nothing that is there. */
export async function sampleOf(operation: CompatOperation): Promise<SampleRequest> {
  const sample = await sampleRequest(operation, () => Promise.reject(new Error('no ids of ours')))
  const body = BODIES[operation.id] ?? (operation.hasBody ? {} : undefined)
  return { ...sample, body }
}
