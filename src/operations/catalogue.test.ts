import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { outdatedDocuments } from '../../scripts/documents/all.ts'
import { ERROR_CODES } from '../domain/refusal/error-codes.ts'
import { openApiDocument } from '../surfaces/openapi/document.ts'
import { CATALOGUE } from './catalogue.ts'
import { codesOf, type Operation } from './definition.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const DEFINING = FILES.filter(
  (file) =>
    file.includes('/') &&
    !file.endsWith('.test.ts') &&
    readFileSync(`${FOLDER}${file}`, 'utf8').includes(' = defineOperation('),
)

/** The first word of a tool's name: what it does. */
const VERBS = [
  'get',
  'list',
  'search',
  'count',
  'create',
  'update',
  'delete',
  'revoke',
  'rotate',
  'test',
  'retry',
  'replay',
  'run',
  'mute',
  'unmute',
  'preview',
  'explain',
  'export',
  'rescore',
  'suggest',
  'dismiss',
  'merge',
  'split',
  'invite',
  'remove',
  'withdraw',
  'connect',
  'disconnect',
  'set',
  'analyze',
]

test('ids, routes and tool names are unique', () => {
  const tools = CATALOGUE.flatMap(({ tool }) => ('name' in tool ? [tool.name] : []))
  for (const names of [CATALOGUE.map(({ id }) => id), CATALOGUE.map(routeOf), tools])
    expect(names).toEqual([...new Set(names)])
})

test('every file of an operation is in the catalogue, named after its operation, with a test beside it', () => {
  const operations = DEFINING.map((file) => file.replace(/^.*\//, '').replace(/\.ts$/, ''))
  expect(operations.sort()).toEqual(CATALOGUE.map(({ id }) => id).sort())
  const untested = DEFINING.filter((file) => !FILES.includes(file.replace(/\.ts$/, '.test.ts')))
  expect(untested).toEqual([])
})

describe.each(CATALOGUE)('$id', (operation) => {
  test('has a name, a summary and a description that can be shown', () => {
    expect(operation.id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(operation.summary).toMatch(/^[A-Z].{3,60}[^.]$/)
    expect(operation.description).toMatch(/^[A-Z].{8,}\.$/s)
    expect(operation.path).toMatch(/^\/v1(\/[a-z0-9.-]+|\/\{[a-zA-Z]+\})+$/)
  })

  test('reads with GET and writes with anything else', () => {
    expect(operation.method === 'GET').toBe(operation.access !== 'write')
    expect(operation.hasBody && ['GET', 'DELETE'].includes(operation.method)).toBe(false)
  })

  test('can be marked with a request id when it makes something', () => {
    if (operation.method !== 'POST' || operation.status !== 201) return
    expect(operation.errors).toContain('request_conflict')
    const shapes =
      'options' in operation.body ? (operation.body.options as z.ZodObject[]) : [operation.body as z.ZodObject]
    for (const { shape } of shapes) expect(Object.keys(shape)).toContain('requestId')
  })

  test('answers 204 exactly when it has nothing to say', () => {
    expect(operation.status === 204).toBe(operation.output === null)
  })

  test('names the parameters of its path, and only those', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(operation.params.shape).sort()).toEqual(inPath.sort())
  })

  test('declares codes that exist and do not follow from its form', () => {
    for (const code of operation.errors) expect(Object.keys(ERROR_CODES)).toContain(code)
    const implied = codesOf({ ...operation, errors: [] })
    expect(operation.errors.filter((code) => implied.includes(code))).toEqual([])
    expect(operation.errors).toEqual([...new Set(operation.errors)])
  })

  test('is a tool with a verb first, or says why it is none', () => {
    const { tool } = operation
    if ('hidden' in tool) return expect(tool.hidden).toMatch(/^[A-Z].{8,}\.$/)
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/)
    expect(VERBS).toContain(tool.name.split('_')[0])
    expect(tool.title.length).toBeGreaterThan(3)
    if (operation.access === 'read') expect(tool).toMatchObject({ destructive: false, idempotent: true })
  })
})

describe('the OpenAPI document', () => {
  const document = openApiDocument(CATALOGUE) as {
    components: { schemas: object; headers: object }
    paths: Record<
      string,
      Record<string, { operationId: string; parameters?: { name: string; description?: string }[] }>
    >
  }

  test('describes every operation', () => {
    const described = Object.entries(document.paths).flatMap(([path, entries]) =>
      Object.keys(entries).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(CATALOGUE.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('says of every parameter what it is', () => {
    const entries = Object.values(document.paths).flatMap((methods) => Object.entries(methods))
    const silent = entries.flatMap(([, { operationId, parameters = [] }]) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    )
    expect(silent).toEqual([])
  })

  test('bounds everything and refuses unknown fields', () => {
    const problems: string[] = []
    inspect(document.components.schemas, '', problems)
    inspect(document.paths, '', problems)
    expect(problems).toEqual([])
  })

  test('is what docs/generated holds, as are the tables beside it', async () => {
    expect(await outdatedDocuments(), 'run npm run generate').toEqual([])
  })
})

function routeOf({ method, path }: Operation): string {
  return `${method} ${path.replace(/\{\w+\}/g, '{}')}`
}

/** Walks schemas and notes what has no bound: what is not bounded on paper is not bounded in the code either. */
function inspect(value: unknown, at: string, problems: string[]): void {
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value))
    if (name !== 'examples' && name !== 'example') inspect(inner, `${at}/${name}`, problems)
  if (Array.isArray(value)) return
  const schema = value as Record<string, unknown>
  const types = [schema['type']].flat()
  const isSet = 'enum' in schema || 'const' in schema
  if (
    types.includes('string') &&
    !isSet &&
    !('maxLength' in schema) &&
    !('pattern' in schema && schema['format'] === 'uuid')
  )
    problems.push(`${at}: text without maxLength`)
  if (types.includes('array') && !('maxItems' in schema)) problems.push(`${at}: list without maxItems`)
  if (
    (types.includes('integer') || types.includes('number')) &&
    !isSet &&
    !('minimum' in schema && 'maximum' in schema)
  )
    problems.push(`${at}: number without bounds`)
  if (
    types.includes('object') &&
    'properties' in schema &&
    schema['additionalProperties'] !== false &&
    !at.endsWith('/OpenApiDocument')
  )
    problems.push(`${at}: takes unknown fields`)
}
