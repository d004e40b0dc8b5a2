import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { touchSession } from '../../commands/accounts/touch-session.ts'
import type { Services } from '../../commands/writing.ts'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts'
import { actAs } from '../../kernel/origin.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { findSessionPerson, type SessionPerson } from '../../queries/accounts/find-session-person.ts'

declare module 'fastify' {
  interface FastifyInstance {
    services: Services
    /** Where people begin after signing in. */
    home: string
  }
  interface FastifyRequest {
    /** Binds forms of a signed-out browser, if made for this request. */
    madeFormSecret: string | null
  }
}

/** Call once, before routes. */
export function knowBrowsers(server: FastifyInstance, services: Services, home: string): void {
  server.decorate('services', services)
  server.decorate('home', home)
  server.decorateRequest('madeFormSecret', null)
}

export const FORM_TOKEN = 'form_token'

/** Null when nobody is signed in. Extends the session. */
export async function personOf(request: FastifyRequest): Promise<SessionPerson | null> {
  const { services } = request.server
  const hash = sessionHashOf(request)
  if (hash === null) return null
  const person = await findSessionPerson(services.db, hash, services.clock.now())
  if (person === null) return null
  actAs({ kind: 'person', id: person.user.id, grantId: null })
  await touchSession(services, hash, person.lastSeenAt)
  return person
}

/** Null without a well-formed secret. */
export function sessionHashOf(request: FastifyRequest): Buffer | null {
  const secret = sessionSecretOf(request.headers, request.server.services.publicUrl)
  return secret === null ? null : secretOf(secret)!.hash
}

/** Null without a well-formed secret. */
export function sessionSecretOf(headers: IncomingHttpHeaders, publicUrl: string): string | null {
  const value = cookieOf(headers, cookieName('session', publicUrl))
  return value !== null && secretOf(value)?.kind === 'ses' ? value : null
}

/** Forms shown before the sign-in are no longer valid. */
export function setSession(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  setCookie(request, reply, 'session', secret, SESSION_COOKIE_SECONDS)
}

export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, 'session')
}

/** The CSRF token of this browser. Sets a cookie when there is none. */
export function formTokenOf(request: FastifyRequest, reply: FastifyReply): string {
  const known = formSecretOf(request) ?? request.madeFormSecret
  if (known !== null) return tokenFor(known)
  const secret = randomBytes(32).toString('base64url')
  request.madeFormSecret = secret
  setCookie(request, reply, 'form', secret, null)
  return tokenFor(secret)
}

/** CSRF check: null when a page of this origin showed the form to this browser. */
export function formProblem(request: FastifyRequest): Refusal<'forbidden'> | null {
  const { publicUrl } = request.server.services
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined && origin !== publicUrl)
    return refuse(
      'forbidden',
      `The form was sent from another address than this service has. Open it at ${publicUrl} and try again.`,
    )
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refuse('forbidden', 'The form was sent from another site.')
  if (formTokenFits(request, formOf(request).get(FORM_TOKEN))) return null
  return refuse(
    'forbidden',
    'The page was open for too long, or this browser blocks cookies. Reload the page and try again.',
  )
}

export function formTokenFits(request: FastifyRequest, token: string | null): boolean {
  const secret = formSecretOf(request)
  if (secret === null || token === null) return false
  const [given, wanted] = [Buffer.from(token), Buffer.from(tokenFor(secret))]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Empty without a body. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/**
 * Session, form secret of a signed-out browser, provider sign-in in progress, where to continue, an earlier sign-in
 * here, or the cell behind a door that the browser uses.
 */
type CookieUse = 'session' | 'form' | 'provider' | 'next' | 'known' | 'cell'

/** Browsers accept this prefix only from the host itself, over https, for all paths. */
export function cookieName(use: CookieUse, publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}earshot_${use}`
}

/** The first of several, which has the closest path. */
export function readCookie(request: FastifyRequest, use: CookieUse): string | null {
  return cookieOf(request.headers, cookieName(use, request.server.services.publicUrl))
}

/** Not readable by scripts, not sent with forms of other sites. Null seconds lasts until the browser closes. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  use: CookieUse,
  value: string,
  seconds: number | null,
): void {
  reply.header('Set-Cookie', cookieText({ publicUrl: request.server.services.publicUrl, use, value, seconds }))
}

interface SetCookie {
  publicUrl: string
  use: CookieUse
  value: string
  seconds: number | null
}

/** The Set-Cookie header of `setCookie`. */
export function cookieText({ publicUrl, use, value, seconds }: SetCookie): string {
  const parts = [`${cookieName(use, publicUrl)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) parts.push('Secure')
  if (seconds !== null) parts.push(`Max-Age=${seconds}`)
  return parts.join('; ')
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, use: CookieUse): void {
  setCookie(request, reply, use, '', 0)
}

/** The browsers' maximum. The server limits sessions by last use. */
export const SESSION_COOKIE_SECONDS = (400 * DAY_MS) / SECOND_MS

export function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | null {
  const pair = (cookie ?? '').split(';').find((text) => text.trimStart().startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(pair.indexOf('=') + 1).trim()
}

const FORM_SECRET = /^[A-Za-z0-9_-]{43}$/

/** With a session its secret counts, so signing in invalidates earlier forms. */
function formSecretOf(request: FastifyRequest): string | null {
  const session = sessionSecretOf(request.headers, request.server.services.publicUrl)
  if (session !== null) return session
  const value = readCookie(request, 'form')
  return value !== null && FORM_SECRET.test(value) ? value : null
}

function tokenFor(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url')
}
