import type { z } from 'zod'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { atOnce, type Steps } from '../../kernel/concurrency/steps.ts'
import type { Operation } from '../../operations/definition.ts'
import { needsCredential, type OperationRequest } from '../../operations/invoke.ts'
import { compactTool, filterFieldsOf, type ListForm } from './compact.ts'
import { type JsonSchema, type ListedTool, type ObjectSchema, portableSchema } from './schemas.ts'

export interface Tool {
  operation: Operation
  /** With every bound and field. */
  whole: ListedTool
  /** As the list of all tools shows it, and the short list. */
  listed: Readonly<Record<ListForm, ListedTool>>
  requestFrom(
    args: Record<string, unknown>,
  ): Pick<OperationRequest, 'params' | 'query' | 'body'> | Refusal<'validation_error'>
}

/** Stands for an empty answer. */
export const DONE = { done: true } as const

/** In catalogue order. Throws for an operation that cannot be a tool. */
export function toolsOf(catalogue: readonly Operation[]): Tool[] {
  return atOnce(toolSteps(catalogue))
}

/** `toolsOf` with a pause after each tool. */
export function* toolSteps(catalogue: readonly Operation[]): Steps<Tool[]> {
  const wholes: Omit<Tool, 'listed'>[] = []
  for (const operation of catalogue.filter(({ tool }) => 'name' in tool)) {
    wholes.push(toolOf(operation))
    yield
  }
  const filterFields = filterFieldsOf(wholes.map(({ whole }) => whole))
  const tools: Tool[] = []
  for (const tool of wholes) {
    const form = (name: ListForm) => compactTool(tool.whole, name, filterFields)
    tools.push({ ...tool, listed: { all: form('all'), short: form('short') } })
    yield
  }
  return tools
}

export function isReadTool({ operation }: Tool): boolean {
  return operation.access === 'read'
}

function toolOf(operation: Operation): Omit<Tool, 'listed'> {
  if (operation.streams !== null) throw new Error(`${operation.id} is answered in portions, which a tool cannot be`)
  if (!needsCredential(operation)) throw new Error(`${operation.id} needs no credential, but calls of tools do`)
  const inputs = inputsOf(operation)
  return { operation, whole: wholeOf(operation, inputs), requestFrom: (args) => requestFrom(operation, inputs, args) }
}

interface Inputs {
  params: ObjectSchema
  query: ObjectSchema
  body: ObjectSchema | null
}

function inputsOf({ id, params, query, hasBody, body }: Operation): Inputs {
  const shown = (schema: z.ZodType) => portableSchema(schema, 'input')
  const inputs = { params: shown(params), query: shown(query), body: hasBody ? shown(body) : null }
  const names = partsOf(inputs).flatMap((part) => Object.keys(part.properties))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`${id} has two inputs named ${twice}, and a tool has one flat object`)
  return inputs
}

function partsOf({ params, query, body }: Inputs): ObjectSchema[] {
  return body === null ? [params, query] : [params, query, body]
}

function wholeOf(operation: Operation, inputs: Inputs): ListedTool {
  const { tool, access, limit, description } = operation
  if ('hidden' in tool) throw new Error(`${operation.id} is hidden`)
  return {
    name: tool.name,
    title: tool.title,
    description: [description, limit === null ? '' : `At most ${limit.perMinute} a minute for a workspace.`]
      .filter(Boolean)
      .join(' '),
    inputSchema: inputSchema(inputs),
    outputSchema: outputSchema(operation),
    annotations: {
      title: tool.title,
      readOnlyHint: access === 'read',
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: tool.openWorld ?? false,
    },
  }
}

function inputSchema(inputs: Inputs): ObjectSchema {
  const parts = partsOf(inputs)
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, JsonSchema>
  const required = parts.flatMap((part) => part.required ?? [])
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false }
}

/**
 * Nothing is required at the root: clients of the older protocol also check refusals against this schema, and others
 * cannot read a union.
 */
function outputSchema({ output }: Operation): ObjectSchema {
  const { properties } = output === null ? DONE_SCHEMA : portableSchema(output, 'output')
  return { type: 'object', properties: { ...properties, error: errorSchema(properties['error']) } }
}

/** An answer's own field `error` must not be mistaken for a refusal. */
function errorSchema(own: JsonSchema | undefined): JsonSchema {
  if (own === undefined) return ERROR_SCHEMA
  const branches = (own['anyOf'] as JsonSchema[] | undefined) ?? [own]
  if (branches.some(({ type }) => ![type].flat().every((item) => item === 'string' || item === 'null')))
    throw new Error('an answer with a field named error that is no text could not be told from a refusal')
  return { anyOf: [...branches, ERROR_SCHEMA] }
}

const DONE_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: { done: { type: 'boolean', description: 'Always true.' } },
}

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Present only if the call was refused or failed.',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    requestId: { type: 'string' },
    retryAfterSeconds: { type: 'integer' },
  },
  required: ['code', 'message', 'requestId'],
}

/**
 * Unknown arguments go where the operation refuses them by name. Only own properties count, since names may be hostile.
 */
function requestFrom(
  { hasBody }: Operation,
  { params, query, body }: Inputs,
  args: Record<string, unknown>,
): ReturnType<Tool['requestFrom']> {
  const given = Object.entries(args)
  const within = (part: ObjectSchema) => given.filter(([name]) => Object.hasOwn(part.properties, name))
  const missing = Object.keys(params.properties).find(
    (name) => typeof args[name] !== 'string' || !Object.hasOwn(args, name),
  )
  if (missing !== undefined) return refuseField(missing, args[missing] === undefined ? 'is required' : 'must be text')
  const inPath = within(params)
  const rest = given.filter(([name]) => !Object.hasOwn(params.properties, name))
  const inQuery = body === null ? rest : within(query)
  const inBody = rest.filter(([name]) => !Object.hasOwn(query.properties, name))
  return {
    params: Object.fromEntries(inPath),
    query: Object.fromEntries(inQuery),
    body: hasBody ? Object.fromEntries(inBody) : undefined,
  }
}
