import { type SampleRequest, sampleRequest } from '../../../test/requests.ts'
import { type ApiAnswer, type CallOptions, createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import type { IdPrefix } from '../../kernel/ids.ts'
import type { Operation } from '../../operations/definition.ts'

/** Headers of a client of the older protocol that has said hello. */
export const OLDER = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const CURRENT_VERSION = '2026-07-28'

/** What a client of the current protocol says of itself with every request. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': CURRENT_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

export interface Message {
  jsonrpc: '2.0'
  id?: number
  method: string
  params?: Record<string, unknown>
}

/** A call in the older protocol. */
export function callOf(name: string, args: object = {}): Message {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

/** A message of the older protocol as one of the current, with the headers that go with it. */
export function current(message: Message): { message: Message; headers: Record<string, string> } {
  const name = message.params?.['name']
  return {
    message: { ...message, params: { ...message.params, _meta: ENVELOPE } },
    headers: {
      accept: OLDER.accept,
      'mcp-protocol-version': CURRENT_VERSION,
      'mcp-method': message.method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  }
}

export interface ToolWorld {
  world: World
  acme: TestWorkspace
  /**
   * Sends a message with the write key of Acme, or another, as a client of the older protocol unless told otherwise.
   */
  send(message: unknown, options?: CallOptions & { path?: string }): Promise<ApiAnswer>
}

export async function createToolWorld(): Promise<ToolWorld> {
  const world = await createWorld()
  const acme = await world.workspace('Acme')
  return {
    world,
    acme,
    send: (message, { path = '/mcp', headers = OLDER, ...options } = {}) =>
      acme.api('POST', path, message, { headers, ...options }),
  }
}

/** What the schema of a body cannot tell, by operation. */
const TOLD: Readonly<Record<string, object>> = { 'create-channel': { url: 'https://receiver.example/hook' } }

/** A request that an operation takes, about things of this workspace. */
export async function sampleIn(workspace: TestWorkspace, operation: Operation): Promise<SampleRequest> {
  const sample = await sampleRequest(operation, async (prefix: IdPrefix) => {
    const id = await workspace.makeOne(prefix)
    if (id === null)
      throw new Error(`teach makersFor in test/makers.ts to make something whose id starts with ${prefix}_`)
    return id
  })
  return operation.id in TOLD ? { ...sample, body: { ...(sample.body as object), ...TOLD[operation.id] } } : sample
}

/** The flat arguments that stand for a request of REST. */
export function argumentsOf({ path }: Operation, request: SampleRequest): Record<string, unknown> {
  const address = new URL(request.path, 'http://localhost')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const values = new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '([^/]+)')}$`)
    .exec(address.pathname)!
    .slice(1)
  const query = [...new Set(address.searchParams.keys())].map(
    (name) => [name, address.searchParams.getAll(name)] as const,
  )
  return {
    ...Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at]!)])),
    ...Object.fromEntries(query.map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
    ...((request.body ?? {}) as object),
  }
}
