import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { findTools } from './find-tools.ts'
import type { ListedTool } from './schemas.ts'
import type { Tool } from './tools.ts'

/** Tools that lead to the others, so that a list can stay short. */
export const FIND = 'find_operations'
export const CALL_READ = 'call_operation'
export const CALL_WRITE = 'call_write_operation'

const QUERY_MAX = 200
const FOUND_DEFAULT = 3
const FOUND_MAX = 10

const CALL_INPUT: ListedTool['inputSchema'] = {
  type: 'object',
  properties: {
    name: { type: 'string', description: `The name of the operation, from ${FIND}.` },
    arguments: { type: 'object', description: 'Its input, as its inputSchema says.' },
  },
  required: ['name'],
  additionalProperties: false,
}

export const GUIDES: readonly ListedTool[] = [
  {
    name: FIND,
    title: 'Find operations',
    description:
      'Finds operations that are not in this list: people, segments, views, groups, channels, presets, billing, ' +
      'members and more. Answers their names and input schemas. ' +
      `Call one with ${CALL_READ} if its access is read, otherwise with ${CALL_WRITE}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What you want to do, in a few words, or the name of a tool.',
          maxLength: QUERY_MAX,
        },
        limit: { type: 'integer', minimum: 1, maximum: FOUND_MAX, default: FOUND_DEFAULT },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { data: { type: 'array' }, error: { type: 'object' } } },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  callGuide(CALL_READ, true, 'Call an operation that reads', 'changes nothing'),
  callGuide(CALL_WRITE, false, 'Call an operation that changes something', 'changes something'),
]

function callGuide(name: string, reads: boolean, title: string, what: string): ListedTool {
  return {
    name,
    title,
    description: `Calls an operation that ${what}, by its name. ${FIND} gives names and inputs.`,
    inputSchema: CALL_INPUT,
    outputSchema: { type: 'object', properties: { error: { type: 'object' } } },
    annotations: { readOnlyHint: reads, destructiveHint: !reads, idempotentHint: reads, openWorldHint: true },
  }
}

export function isGuide(name: string): boolean {
  return GUIDES.some((guide) => guide.name === name)
}

export interface Meant {
  name: string
  args: Record<string, unknown>
}

/** The call that a guide passes on. Refuses what the guide does not take. */
export function passedOn(
  guide: string,
  { name, arguments: inner = {}, ...others }: Record<string, unknown>,
  tools: ReadonlyMap<string, Tool>,
): Meant | Refusal<'validation_error'> {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return refuseField(unknown, 'is not a field of this operation')
  if (typeof name !== 'string') return refuseField('name', name === undefined ? 'is required' : 'must be text')
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner))
    return refuseField('arguments', 'must be an object')
  const tool = tools.get(name)
  if (tool === undefined) return refuseField('name', `is no operation; ${FIND} answers their names`)
  const reads = tool.operation.access === 'read'
  if (guide === CALL_READ && !reads) return refuseField('name', `changes something; call it with ${CALL_WRITE}`)
  if (guide === CALL_WRITE && reads) return refuseField('name', `changes nothing; call it with ${CALL_READ}`)
  return { name, args: inner as Record<string, unknown> }
}

export interface FoundOperation extends Pick<ListedTool, 'name' | 'title' | 'description' | 'inputSchema'> {
  access: 'read' | 'write'
}

/** Operations that fit the words, the best first. */
export function foundOperations(
  { query, limit = FOUND_DEFAULT, ...others }: Record<string, unknown>,
  tools: readonly Tool[],
): { data: FoundOperation[] } | Refusal<'validation_error'> {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return refuseField(unknown, 'is not a field of this operation')
  if (typeof query !== 'string' || query.trim() === '' || query.length > QUERY_MAX)
    return refuseField('query', `must be text of 1 to ${QUERY_MAX} characters`)
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > FOUND_MAX)
    return refuseField('limit', `must be a whole number from 1 to ${FOUND_MAX}`)
  return {
    data: findTools(tools, query)
      .slice(0, Number(limit))
      .map(
        ({
          listed: {
            all: { name, title, description, inputSchema },
          },
          operation,
        }) => ({
          name,
          title,
          description,
          access: operation.access === 'read' ? 'read' : 'write',
          inputSchema,
        }),
      ),
  }
}
