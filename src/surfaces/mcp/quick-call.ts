import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'

export interface QuickCall {
  era: 'legacy' | 'modern'
  id: string | number
  name: string
  args: Record<string, unknown>
}

const MODERN = '2026-07-28'
const LEGACY: ReadonlySet<string> = new Set(['2025-11-25', '2025-06-18'])

/**
 * Reads calls of official clients whose headers and message agree and hold nothing unusual. Null leaves the call to the
 * library, so only non-null results must be right.
 */
export function quickCallFrom(headers: IncomingHttpHeaders, message: unknown): QuickCall | null {
  if (
    !isRecord(message) ||
    !hasOnly(message, MESSAGE) ||
    message['jsonrpc'] !== '2.0' ||
    message['method'] !== 'tools/call'
  )
    return null
  const { id, params } = message
  if ((typeof id !== 'string' && !Number.isSafeInteger(id)) || !isRecord(params) || !hasOnly(params, PARAMS))
    return null
  const { name, arguments: args = {}, _meta: meta = {} } = params
  if (typeof name !== 'string' || !isRecord(args) || !isRecord(meta) || !takesBoth(headers.accept)) return null
  const era = eraOf(headers, name, meta)
  return era === null ? null : { era, id: id as string | number, name, args }
}

const MESSAGE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])

function eraOf(headers: IncomingHttpHeaders, name: string, meta: Record<string, unknown>): QuickCall['era'] | null {
  const version = headers['mcp-protocol-version']
  if (version === MODERN) {
    const agrees =
      headers['mcp-method'] === 'tools/call' &&
      headers['mcp-name'] === name &&
      meta[PROTOCOL_VERSION_META_KEY] === MODERN
    return agrees &&
      hasOnly(meta, ENVELOPE) &&
      isRecord(meta[CLIENT_CAPABILITIES_META_KEY]) &&
      isClient(meta[CLIENT_INFO_META_KEY])
      ? 'modern'
      : null
  }
  const isLegacy = typeof version === 'string' && LEGACY.has(version) && hasOnly(meta, NOTHING)
  return isLegacy ? 'legacy' : null
}

const ENVELOPE: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
])
const NOTHING: ReadonlySet<string> = new Set()

function isClient(info: unknown): boolean {
  return (
    info === undefined ||
    (isRecord(info) &&
      hasOnly(info, CLIENT) &&
      Object.values(info).every((value) => typeof value === 'string') &&
      'name' in info &&
      'version' in info)
  )
}

const CLIENT: ReadonlySet<string> = new Set(['name', 'version', 'title'])

function takesBoth(accept: string | undefined): boolean {
  return accept?.includes('application/json') === true && accept.includes('text/event-stream')
}

function hasOnly(record: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  return Object.keys(record).every((name) => names.has(name))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
