import { z } from 'zod'
import type { ErrorCode } from '../../domain/refusal/error-codes.ts'
import { VERSION } from '../../kernel/version.ts'
import { codesOf } from '../../operations/definition.ts'
import { WORKSPACE_PER_MINUTE } from '../../operations/invoke.ts'
import {
  HEADERS,
  headersFor,
  LIMIT_HEADERS,
  parametersOf,
  pascal,
  responsibleFor,
  SECURITY_SCHEMES,
  serverOf,
} from '../openapi/parts.ts'
import { createSchemaBook, type JsonSchema, type SchemaBook } from '../openapi/schemas.ts'
import { COMPAT_TAGS, type CompatOperation } from './define.ts'
import { COMPAT_CODES, type CompatCode, compatCodeOf } from './envelope.ts'
import { COMPAT_ROOT } from './paths.ts'

const INTRODUCTION = [
  'The v2 interface of another vendor over the data of Earshot, for programs that were written for it. New ' +
    'programs use the interface at `/v1`.',
  'Send `Authorization: Bearer <credential>` with the same credentials as there. All interfaces share ' +
    `${WORKSPACE_PER_MINUTE} requests a minute. Ids are numbers, assigned when something is first shown and kept.`,
  'What this interface cannot say is answered 501 `FEATURE_DISABLED` and never approximated. Unknown fields are ' +
    'refused, except beside `filters` of the list and of exports.',
].join('\n\n')

/** The OpenAPI document of this interface, at `publicUrl`. */
export function describedCompat(catalogue: readonly CompatOperation[], publicUrl?: string): Record<string, unknown> {
  const book = createSchemaBook()
  const errors = createResponses(book)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of catalogue) {
    const path = operation.path.slice(COMPAT_ROOT.length)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: entryOf(operation, book, errors) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot compatibility interface',
      version: VERSION,
      summary: 'The v2 interface of another vendor',
      description: INTRODUCTION,
      ...responsibleFor(publicUrl),
    },
    servers: [serverOf(publicUrl, COMPAT_ROOT)],
    tags: Object.entries(COMPAT_TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, '/openapi.json': { get: documentEntry(errors) } },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: Object.fromEntries(Object.entries(HEADERS).filter(([name]) => name !== 'Allow')),
      responses: errors.named(),
      schemas: book.named(),
    },
  }
}

function documentEntry(errors: Responses): JsonSchema {
  return {
    operationId: 'getOpenapi',
    summary: 'Get the OpenAPI document',
    description: 'Returns this document.',
    tags: ['Organization'],
    security: [],
    responses: {
      200: {
        description: 'Done.',
        headers: headersFor([]),
        content: { 'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } } },
      },
      ...errors.of(['VALIDATION_ERROR']),
    },
  }
}

function entryOf(operation: CompatOperation, book: SchemaBook, errors: Responses): JsonSchema {
  const id = operation.id.replace(/^compat-/, '')
  const name = pascal(id)
  const parameters = [...parametersOf(operation.params, 'path', book), ...parametersOf(operation.query, 'query', book)]
  return {
    operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.compatTag],
    security: [{ bearer: [] }],
    'x-required-scope': operation.scope,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.hasBody
      ? {
          requestBody: {
            required: !operation.body.safeParse(undefined).success,
            content: { 'application/json': { schema: book.referenceTo(`${name}Body`, operation.body, 'input') } },
          },
        }
      : {}),
    responses: { ...successes(operation, name, book), ...errors.of(compatCodes(operation)) },
  }
}

function successes(operation: CompatOperation, name: string, book: SchemaBook): Record<string, JsonSchema> {
  const schema = book.referenceTo(`${name}Answer`, operation.output!, 'output')
  const own = Object.entries(operation.headers).filter(([header]) => header !== 'Content-Type')
  const content = {
    'application/json': { schema },
    ...(operation.streams === null ? {} : { 'text/csv': { schema: { type: 'string', maxLength: 1e9 } } }),
  }
  const success = (description: string) => ({
    description,
    headers: {
      ...headersFor(LIMIT_HEADERS),
      ...Object.fromEntries(
        own.map(([header, meaning]) => [header, { description: meaning, schema: { type: 'string', maxLength: 200 } }]),
      ),
    },
    content,
  })
  return {
    [operation.status]: success('Done.'),
    ...(operation.again === null ? {} : { [operation.again]: success('It existed already. Nothing changed.') }),
  }
}

/** Every code that an operation can be answered with. */
function compatCodes(operation: CompatOperation): CompatCode[] {
  const implied: ErrorCode[] = operation.scope === 'admin' ? ['forbidden'] : []
  const codes = [...codesOf(operation), ...implied].filter(
    (code) => code !== 'method_not_allowed' && (operation.hasBody || !OF_BODIES.has(code)),
  )
  return [...new Set(codes.map((code) => compatCodeOf(code, operation.notFound)))]
}

const OF_BODIES: ReadonlySet<ErrorCode> = new Set(['unsupported_media_type', 'payload_too_large', 'request_timeout'])

function responseName(codes: readonly CompatCode[]): string {
  return codes.map((code) => pascal(code.toLowerCase())).join('Or')
}

function byStatus(codes: readonly CompatCode[]): Map<number, CompatCode[]> {
  const statuses = new Map<number, CompatCode[]>()
  for (const code of (Object.keys(COMPAT_CODES) as CompatCode[]).filter((item) => codes.includes(item))) {
    const { status } = COMPAT_CODES[code]
    statuses.set(status, [...(statuses.get(status) ?? []), code])
  }
  return statuses
}

interface Responses {
  /** References for these codes. */
  of(codes: readonly CompatCode[]): Record<string, JsonSchema>
  named(): Record<string, JsonSchema>
}

/** Operations with the same codes for a status share a response. */
function createResponses(book: SchemaBook): Responses {
  const named = new Map<string, JsonSchema>()
  return {
    of: (codes) =>
      Object.fromEntries(
        [...byStatus(codes)].map(([status, some]) => {
          const name = responseName(some)
          if (!named.has(name)) named.set(name, errorResponse(some, book))
          return [String(status), { $ref: `#/components/responses/${name}` }]
        }),
      ),
    named: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().max(60).meta({ description: 'What went wrong, for programs.' }),
      message: z.string().max(2000).meta({ description: 'What went wrong, for people. The text may change.' }),
      status: z.int().min(400).max(599),
      requestId: z.string().max(64).meta({ description: 'Equal to the X-Request-Id header.' }),
      details: z
        .array(z.strictObject({ path: z.string().max(100), message: z.string().max(2000) }))
        .max(100)
        .optional()
        .meta({ description: 'Every wrong field, for `VALIDATION_ERROR` only.' }),
    }),
  })
  .meta({ id: 'Error', description: 'The error envelope.' })

function errorResponse(codes: readonly CompatCode[], book: SchemaBook): JsonSchema {
  const extra = [
    ...(codes.some((code) => RETRIED.has(code)) ? ['Retry-After'] : []),
    ...(codes.includes('UNAUTHORIZED') ? ['WWW-Authenticate'] : LIMIT_HEADERS),
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${COMPAT_CODES[code].meaning}`).join('\n\n'),
    headers: headersFor(extra),
    content: {
      'application/json': {
        schema: book.schemaOf(errorSchema, 'output'),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: COMPAT_CODES[code].meaning, value: exampleOf(code) }]),
        ),
      },
    },
  }
}

const RETRIED: ReadonlySet<CompatCode> = new Set([
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
])

function exampleOf(code: CompatCode): JsonSchema {
  const { status, meaning } = COMPAT_CODES[code]
  const details = code === 'VALIDATION_ERROR' ? { details: [{ path: 'limit', message: 'must be at most 100' }] } : {}
  return { error: { code, message: meaning, status, requestId: 'req_01kg3w5z0yf8hbt2m7q4n9xc6d', ...details } }
}
