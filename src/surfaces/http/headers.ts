import { CATALOGUE } from '../../operations/catalogue.ts'
import type { Presented } from '../../operations/identify.ts'
import type { Allowance } from '../../operations/rate-limit.ts'

const REQUEST_ID = /^[A-Za-z0-9_-]{1,64}$/

/** The caller's own request id when it has the allowed form. */
export function ownRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : null
}

/** Stands for a credential of another scheme, or of none: it was sent, and no key looks like it. */
const NOT_BEARER = '(not a bearer credential)'

/** What a bearer header carries; null when no credential was sent. */
export function bearerOf(authorization: string | undefined): Presented | null {
  if (authorization === undefined) return null
  const bearer = /^Bearer(?: +(\S*))?$/i.exec(authorization)
  const text = bearer === null ? NOT_BEARER : bearer[1]
  return text === undefined || text === '' ? null : { kind: 'bearer', text }
}

/**
 * Headers of answers in general that say something to callers. Those of single operations stand in their definitions.
 */
export type AnswerHeader = 'X-Request-Id' | LimitHeader | 'Retry-After' | 'WWW-Authenticate' | 'Allow'
type LimitHeader = 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset'

/** Each of them with its meaning. */
export const ANSWER_HEADERS: Readonly<Record<AnswerHeader, string>> = {
  'X-Request-Id': "Id of the request: the caller's X-Request-Id if valid.",
  'X-RateLimit-Limit': 'Requests allowed in any 60 seconds for the workspace.',
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

/**
 * Sends OAuth clients to where sign-in is described (RFC 9728), and tells a refused credential from none (RFC 6750).
 */
export function challenge(publicUrl: string, sent: boolean): string {
  const where = `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  return sent ? `${where}, error="invalid_token", error_description="Invalid API key or access token"` : where
}

/** Pages that show something replace the content policy. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

/** A year, as browsers and their lists expect it. Other hosts of the domain are not ours to decide about. */
const HSTS_SECONDS = 365 * 24 * 60 * 60

/**
 * Set on every answer of an installation at this public address; one that is reached by https is never to be asked
 * otherwise.
 */
export function securityHeaders(publicUrl: string): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return SECURITY_HEADERS
  return { ...SECURITY_HEADERS, 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }
}

/**
 * Any web page may call with a credential it holds itself, and read every header that is defined; cookies are never
 * accepted from elsewhere.
 */
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
