import type { IncomingMessage } from 'node:http'
import { type IpRange, isInRange, readAddress } from '../../kernel/ip-range.ts'

/** What the door reads of a request before it knows where the request belongs. */
export interface Head {
  method: string
  /** With the query, beginning with a slash. */
  target: string
  /** Percent-encoded ASCII is decoded, as the cells do before they choose a route. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** The address that cells believe the caller to have. */
  caller: string
}

/** Null for an address that is no path, such as `*`. */
export function readHead(request: IncomingMessage, trusted: readonly IpRange[]): Head | null {
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '')
  if (!target.startsWith('/')) return null
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  return {
    method: request.method ?? 'GET',
    target,
    path: path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    query: new URLSearchParams(at === -1 ? '' : target.slice(at + 1)),
    headers: request.headers,
    caller: callerOf(request, trusted),
  }
}

/** The last address that no trusted proxy has, as Fastify reads `trustProxy`. */
function callerOf({ socket, headers }: IncomingMessage, trusted: readonly IpRange[]): string {
  const isTrusted = (address: string) => {
    const ip = readAddress(address)
    return ip !== null && trusted.some((range) => isInRange(ip, range))
  }
  let caller = socket.remoteAddress ?? ''
  const told = headers['x-forwarded-for']
  const passed = typeof told === 'string' ? told.split(',').map((part) => part.trim()) : []
  while (isTrusted(caller) && passed.length > 0) {
    const before = passed.pop()!
    if (readAddress(before) === null) break
    caller = before
  }
  return caller
}

/** Of one connection, or about the caller, which only the door may say. */
const NOT_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'x-request-id',
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
])

/** The headers of the request for a cell, names and values in turn. */
export function passedHeaders(
  { rawHeaders, headers }: IncomingMessage,
  { caller, requestId }: { caller: string; requestId: string },
): string[] {
  const named = namedBy(headers.connection)
  const passed = ['X-Forwarded-For', caller, 'X-Request-Id', requestId]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!NOT_PASSED.has(name) && !named.has(name)) passed.push(rawHeaders[at]!, rawHeaders[at + 1]!)
  }
  return passed
}

/** The same for an answer. */
export function answeredHeaders(raw: readonly string[]): string[] {
  const at = raw.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'connection')
  const named = namedBy(at === -1 ? undefined : raw[at + 1])
  const passed: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase()
    if (!HOP_BY_HOP.has(name) && !named.has(name)) passed.push(raw[index]!, raw[index + 1]!)
  }
  return passed
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** RFC 9110, section 7.6.1. Never the headers that say whom a request concerns. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined) return NOTHING
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => !END_TO_END.has(name)))
}

const NOTHING: ReadonlySet<string> = new Set()
const END_TO_END = new Set(['authorization', 'cookie', 'host', 'content-type', 'content-length', 'cache-control'])
