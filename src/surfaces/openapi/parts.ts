import type { z } from 'zod'
import { ANSWER_HEADERS, type AnswerHeader } from '../http/headers.ts'
import type { JsonSchema, SchemaBook } from './schemas.ts'

const LOCAL_ORIGIN = 'http://localhost:4400'

const HEADER_SCHEMAS: Record<AnswerHeader, JsonSchema> = {
  'X-Request-Id': { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', maxLength: 64 },
  'X-RateLimit-Limit': { type: 'integer', minimum: 1, maximum: 1_000_000 },
  'X-RateLimit-Remaining': { type: 'integer', minimum: 0, maximum: 1_000_000 },
  'X-RateLimit-Reset': { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  'Retry-After': { type: 'integer', minimum: 1, maximum: 86_400 },
  'WWW-Authenticate': { type: 'string', maxLength: 1000 },
  Allow: { type: 'string', maxLength: 100 },
}

/** Headers of answers, by reference. */
export const HEADERS = Object.fromEntries(
  Object.entries(HEADER_SCHEMAS).map(([name, schema]) => [
    name,
    { description: ANSWER_HEADERS[name as AnswerHeader], schema },
  ]),
)

export const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Who runs the installation, and by which licence. */
export function responsibleFor(publicUrl: string | undefined): Record<string, unknown> {
  return {
    contact: { name: 'The operator of this installation', url: publicUrl ?? LOCAL_ORIGIN },
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  }
}

export const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, which starts with `ref_`.' },
} as const

export function serverOf(publicUrl: string | undefined, path = ''): Record<string, unknown> {
  if (publicUrl !== undefined) return { url: `${publicUrl}${path}`, description: 'This installation' }
  return {
    url: `{origin}${path}`,
    description: 'An installation',
    variables: {
      origin: { default: LOCAL_ORIGIN, description: 'Address of the installation.' },
    },
  }
}

export function parametersOf(fields: z.ZodObject, place: 'path' | 'query', book: SchemaBook): JsonSchema[] {
  const { properties = {}, required = [] } = book.schemaOf(fields, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(isNested(schema)
      ? { content: { 'application/json': { schema } } }
      : { ...(schema['type'] === 'array' ? { style: 'form', explode: true } : {}), schema }),
  }))
}

/** Objects are sent as JSON text. */
function isNested(schema: JsonSchema): boolean {
  const inner = (schema['type'] === 'array' ? schema['items'] : schema) as JsonSchema
  return inner['type'] === 'object' || '$ref' in inner
}

export function headersFor(names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export function pascal(name: string): string {
  return name.replace(/(?:^|[-_])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
