import { type ApiAnswer, type CallOptions, createWorld, type TestWorkspace, type World } from '../../../test/world.ts'

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
  /** Sends a message with the write key of Acme, or another, as a client of the older protocol unless told otherwise. */
  send(message: unknown, options?: CallOptions & { path?: string }): Promise<ApiAnswer>
}

export async function createToolWorld(): Promise<ToolWorld> {
  const world = await createWorld()
  const acme = await world.workspace('Acme')
  return {
    world,
    acme,
    send: (message, { path = '/mcp', headers = OLDER, ...options } = {}) => acme.api('POST', path, message, { headers, ...options }),
  }
}
