import { type SampleRequest, sampleRequest } from '../../../test/requests.ts'
import {
  type ApiAnswer,
  type CallOptions,
  createWorld,
  type TestWorkspace,
  type World,
  type WorldOptions,
} from '../../../test/world.ts'
import type { IdPrefix } from '../../kernel/ids.ts'
import type { Operation } from '../../operations/definition.ts'

export const OLDER = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }

const CURRENT_VERSION = '2026-07-28'

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

export function callOf(name: string, args: object = {}): Message {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

export function current(message: Message): { message: Message; headers: Record<string, string> } {
  const name = message.params?.['name'] ?? message.params?.['uri']
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
  /** Sends a message with Acme's write key, by default in the older protocol. */
  send(message: unknown, options?: CallOptions & { path?: string }): Promise<ApiAnswer>
}

export async function createToolWorld(options: WorldOptions = {}): Promise<ToolWorld> {
  const world = await createWorld(options)
  const acme = await world.workspace('Acme')
  return {
    world,
    acme,
    send: (message, { path = '/mcp', headers = OLDER, ...options } = {}) =>
      acme.api('POST', path, message, { headers, ...options }),
  }
}

const TOLD: Readonly<Record<string, object>> = { 'create-channel': { url: 'https://receiver.example/hook' } }

export async function sampleIn(workspace: TestWorkspace, operation: Operation): Promise<SampleRequest> {
  const sample = await sampleRequest(operation, async (prefix: IdPrefix) => {
    const id = await workspace.makeOne(prefix)
    if (id === null)
      throw new Error(`teach makersFor in test/makers.ts to make something whose id starts with ${prefix}_`)
    return id
  })
  return operation.id in TOLD ? { ...sample, body: { ...(sample.body as object), ...TOLD[operation.id] } } : sample
}

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
