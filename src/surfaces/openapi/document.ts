import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../domain/refusal/error-codes.ts'
import { atOnce, type Steps } from '../../kernel/concurrency/steps.ts'
import { VERSION } from '../../kernel/version.ts'
import { codesOf, type Operation } from '../../operations/definition.ts'
import { needsCredential, PERSON_PER_MINUTE, WORKSPACE_PER_MINUTE } from '../../operations/invoke.ts'
import { fieldProblemOut } from '../../operations/shapes.ts'
import { TAGS } from '../../operations/tags.ts'
import {
  HEADERS,
  headersFor,
  LIMIT_HEADERS,
  parametersOf,
  pascal,
  responsibleFor,
  SECURITY_SCHEMES,
  serverOf,
} from './parts.ts'
import { createSchemaBook, type JsonSchema, type SchemaBook } from './schemas.ts'

const INTRODUCTION = [
  'Earshot collects posts from social and developer platforms that contain the terms of a ' +
    'workspace. Every match becomes a scored mention, which rules send to channels.',
  'Send `Authorization: Bearer <credential>` with every request. A credential belongs to one ' +
    'workspace and sees no other. A credential with read scope cannot write.',
  `The keys and tokens of a workspace may make ${WORKSPACE_PER_MINUTE} requests a minute together, and the browsers ` +
    `of a person ${PERSON_PER_MINUTE}. Every authenticated answer says what is left. ` +
    `Errors have one form, and clients go by \`code\`. Codes may be added; treat one you do not know as a general ` +
    'failure with its status.',
  'Send times as ISO 8601 with an offset, as a plain day (00:00 UTC), or as milliseconds since ' +
    '1970. Responses are in UTC. List parameters may be repeated or comma-separated. Unknown fields ' +
    'and parameters are refused.',
].join('\n\n')

/** Without `publicUrl` the server address is a variable. */
export function openApiDocument(catalogue: readonly Operation[], publicUrl?: string): Record<string, unknown> {
  return atOnce(openApiSteps(catalogue, publicUrl))
}

/** A step for each operation: the whole takes half a second, in which a service would answer nobody. */
export function* openApiSteps(catalogue: readonly Operation[], publicUrl?: string): Steps<Record<string, unknown>> {
  const book = createSchemaBook()
  const errors = createErrorResponses(book)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of inChapters(catalogue)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: entryOf(operation, book, errors),
    }
    yield
  }
  const used = new Set(catalogue.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version: VERSION,
      summary: 'Social listening for developers and AI agents',
      description: INTRODUCTION,
      ...responsibleFor(publicUrl),
    },
    servers: [serverOf(publicUrl)],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name as Operation['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: errors.named(),
      schemas: book.named(),
    },
  }
}

const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().max(60).meta({ description: 'What went wrong, for programs.' }),
      message: z.string().max(2000).meta({ description: 'What went wrong, for people. The text may change.' }),
      requestId: z.string().max(64).meta({ description: 'Equal to the X-Request-Id header.' }),
      retryAfterSeconds: z
        .int()
        .min(1)
        .max(86_400)
        .optional()
        .meta({ description: 'Equal to the Retry-After header.' }),
      details: z
        .array(fieldProblemOut)
        .max(100)
        .optional()
        .meta({
          description:
            'For `validation_error`: every invalid field, up to 50 of the query and 50 of the body. The ' +
            'message names the first.',
        }),
      existingId: z.string().max(40).optional().meta({ description: 'For a duplicate: id of the existing object.' }),
    }),
  })
  .meta({ id: 'Error', description: 'The error envelope.' })

function inChapters(catalogue: readonly Operation[]): Operation[] {
  const order = Object.keys(TAGS)
  return [...catalogue].sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag))
}

function entryOf(operation: Operation, book: SchemaBook, errors: ErrorResponses): Record<string, unknown> {
  const name = pascal(operation.id)
  const parameters = [...parametersOf(operation.params, 'path', book), ...parametersOf(operation.query, 'query', book)]
  return {
    operationId: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [operation.tag],
    security: needsCredential(operation) ? [{ bearer: [] }] : [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.hasBody
      ? {
          requestBody: {
            required: !operation.body.safeParse(undefined).success,
            content: { 'application/json': { schema: book.referenceTo(`${name}Body`, operation.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [operation.status]: successOf(operation, name, book),
      ...(operation.again === null
        ? {}
        : {
            [operation.again]: {
              ...successOf(operation, name, book),
              description: 'It existed already. Nothing changed.',
            },
          }),
      ...('ETag' in operation.headers
        ? { 304: { description: 'Unchanged since the response that `If-None-Match` names.' } }
        : {}),
      ...errors.of(operation),
    },
  }
}

function descriptionOf({ description, roles, peopleOnly, limit, access }: Operation): string {
  return [
    description,
    access === 'write' ? 'Requires write scope.' : '',
    peopleOnly ? 'Requires a signed-in person; API keys may not use it.' : '',
    roles.length === 0
      ? ''
      : `Of people who sign in, only ${roles.map((role) => `${role}s`).join(' and ')} may do this.`,
    limit === null ? '' : `At most ${limit.perMinute} a minute for a workspace.`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

const DESCRIPTION_OF = new Map<number, string>([
  [202, 'Accepted. It happens in a moment.'],
  [204, 'Done. The response has no body.'],
])

function successOf(operation: Operation, name: string, book: SchemaBook): JsonSchema {
  const own = Object.entries(operation.headers).map(([header, description]) => [
    header,
    { description, schema: { type: 'string', maxLength: 200 } },
  ])
  return {
    description: DESCRIPTION_OF.get(operation.status) ?? 'Done.',
    headers: { ...headersFor(needsCredential(operation) ? LIMIT_HEADERS : []), ...Object.fromEntries(own) },
    ...(operation.output === null
      ? {}
      : {
          content: {
            [operation.streams ?? 'application/json']: {
              schema: book.referenceTo(`${name}Answer`, operation.output, 'output'),
            },
          },
        }),
  }
}

interface ErrorResponses {
  of(operation: Operation): Record<string, JsonSchema>
  named(): Record<string, JsonSchema>
}

/** Operations with the same codes for a status share a response. */
function createErrorResponses(book: SchemaBook): ErrorResponses {
  const named = new Map<string, JsonSchema>()
  return {
    of(operation) {
      const entries = [...byStatus(operation)]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]) => {
          const limited = operation.access !== 'open' && status !== 401
          const name = `${codes.map(pascal).join('Or')}${status}${limited ? '' : 'WithoutLimits'}`
          if (!named.has(name)) named.set(name, errorResponse(status, codes, limited, book))
          return [String(status), { $ref: `#/components/responses/${name}` }]
        })
      return Object.fromEntries(entries) as Record<string, JsonSchema>
    },
    named: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function byStatus(operation: Operation): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>()
  for (const code of codesOf(operation)) {
    const declared = operation.errors.includes(code)
    // Implied codes have their usual status. Declared ones may have any status of the code.
    for (const status of declared ? ERROR_CODES[code].statuses : ERROR_CODES[code].statuses.slice(0, 1)) {
      statuses.set(status, [...(statuses.get(status) ?? []), code])
    }
  }
  return statuses
}

function errorResponse(status: number, codes: readonly ErrorCode[], limited: boolean, book: SchemaBook): JsonSchema {
  const retryable = codes.some((code) => 'retryable' in ERROR_CODES[code])
  const extra = [
    ...(limited ? LIMIT_HEADERS : []),
    ...(retryable ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n'),
    headers: headersFor(extra),
    content: {
      'application/json': {
        schema: book.schemaOf(errorSchema, 'output'),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: ERROR_CODES[code].meaning, value: exampleOf(code) }]),
        ),
      },
    },
  }
}

function exampleOf(code: ErrorCode): JsonSchema {
  const message = code === 'validation_error' ? 'name: is required' : ERROR_CODES[code].meaning
  return {
    error: {
      code,
      message,
      requestId: 'req_01kg3w5z0yf8hbt2m7q4n9xc6d',
      ...('retryable' in ERROR_CODES[code] ? { retryAfterSeconds: 5 } : {}),
    },
  }
}
