import { CATALOGUE } from '../../operations/catalogue.ts'
import type { Presented } from '../../operations/identify.ts'
import type { Allowance } from '../../operations/rate-limit.ts'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** Null when the header is not a valid id. */
export function ownRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : null
}

/** Stands for a credential of another scheme. No key equals it. */
const NOT_BEARER = '(not a bearer credential)'

/** Null when no credential was sent. */
export function bearerOf(authorization: string | undefined): Presented | null {
  if (authorization === undefined) return null
  const bearer = /^Bearer(?: +(\S*))?$/i.exec(authorization)
  const text = bearer === null ? NOT_BEARER : bearer[1]
  return text === undefined || text === '' ? null : { kind: 'bearer', text }
}

/** Headers of all operations. An operation declares its own. */
export type AnswerHeader = 'X-Request-Id' | LimitHeader | 'Retry-After' | 'WWW-Authenticate' | 'Allow'
type LimitHeader = 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset'

export const ANSWER_HEADERS: Readonly<Record<AnswerHeader, string>> = {
  'X-Request-Id': "Id of the request: the caller's X-Request-Id if valid.",
  'X-RateLimit-Limit': 'Requests allowed in any 60 seconds for the workspace, or for the person of a session.',
  'X-RateLimit-Remaining': 'Requests left.',
  'X-RateLimit-Reset': 'When the full limit is available again, in Unix seconds.',
  'Retry-After': 'Seconds to wait before trying again.',
  'WWW-Authenticate': 'Where OAuth clients learn how to sign in.',
  Allow: 'Methods of the path, if another was used.',
}

export function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<LimitHeader, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
  }
}

/** Points OAuth clients to the metadata (RFC 9728) and marks a refused credential (RFC 6750). */
export function challenge(publicUrl: string, sent: boolean): string {
  const where = `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  return sent ? `${where}, error="invalid_token", error_description="Invalid API key or access token"` : where
}

/** Pages with content replace the content policy. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

/** A year, the usual HSTS period. Other hosts of the domain are not included. */
const HSTS_SECONDS = 365 * 24 * 60 * 60

/** HSTS only when the public address is https. */
export function securityHeaders(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return SECURITY_HEADERS
  return { ...SECURITY_HEADERS, 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }
}

/** Any web page may call with its own credential. Cookies are never accepted from other origins. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': [
    ...new Set([...Object.keys(ANSWER_HEADERS), ...CATALOGUE.flatMap(({ headers }) => Object.keys(headers))]),
  ].join(', '),
} as const

export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, X-Request-Id, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, ' +
    'Mcp-Session-Id',
  'Access-Control-Max-Age': '86400',
} as const
