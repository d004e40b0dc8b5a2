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
  }
  interface FastifyRequest {
    /** The secret that binds forms to a browser in which nobody is signed in, once it was made for this request. */
    madeFormSecret: string | null
  }
}

/**
 * Lets the functions below work on this server and on everything that is mounted on it. Call it once, before routes.
 */
export function knowBrowsers(server: FastifyInstance, services: Services): void {
  server.decorate('services', services)
  server.decorateRequest('madeFormSecret', null)
}

/** The field of every form that carries its token. */
export const FORM_TOKEN = 'form_token'

/**
 * Who is signed in in this browser, whether or not a workspace is chosen; null when nobody is. Being seen keeps a
 * session alive.
 */
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

/** The hash of the session whose secret this browser sent; null when it sent none that has the form of one. */
export function sessionHashOf(request: FastifyRequest): Buffer | null {
  const secret = sessionSecretOf(request.headers, request.server.services.publicUrl)
  return secret === null ? null : secretOf(secret)!.hash
}

/** The secret of a session from the cookie of a request; null when there is none that has the form of one. */
export function sessionSecretOf(headers: IncomingHttpHeaders, publicUrl: string): string | null {
  const value = cookieOf(headers, cookieName('session', publicUrl))
  return value !== null && secretOf(value)?.kind === 'ses' ? value : null
}

/** Signs a browser in: from now on it sends this secret, and forms that it was shown before do not fit any more. */
export function setSession(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  setCookie(request, reply, 'session', secret, SESSION_COOKIE_SECONDS)
}

export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  clearCookie(request, reply, 'session')
}

/**
 * What binds a form to this browser, for a hidden field named `form_token`. Gives the browser a secret when it has
 * none.
 */
export function formTokenOf(request: FastifyRequest, reply: FastifyReply): string {
  const known = formSecretOf(request) ?? request.madeFormSecret
  if (known !== null) return tokenFor(known)
  const secret = randomBytes(32).toString('base64url')
  request.madeFormSecret = secret
  setCookie(request, reply, 'form', secret, null)
  return tokenFor(secret)
}

/**
 * Why a form that was sent cannot be taken from this browser; null when it comes from a page of ours that was shown to
 * it.
 */
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

/** Whether a token is the one that this browser was given. */
export function formTokenFits(request: FastifyRequest, token: string | null): boolean {
  const secret = formSecretOf(request)
  if (secret === null || token === null) return false
  const [given, wanted] = [Buffer.from(token), Buffer.from(tokenFor(secret))]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** The fields of a form that was sent; without any when the request had no body. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/**
 * What a cookie of ours is for: who is signed in, a form of somebody who is not, a sign-in on its way through a
 * provider, where to go on to, or that somebody has signed in here before.
 */
type CookieUse = 'session' | 'form' | 'provider' | 'next' | 'known'

/** A name with this prefix is taken by browsers only from the host itself, over https, for all of its paths. */
function cookieName(use: CookieUse, publicUrl: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}earshot_${use}`
}

/** The value that this browser sent; the first when there are several, which is the one that fits the path best. */
export function readCookie(request: FastifyRequest, use: CookieUse): string | null {
  return cookieOf(request.headers, cookieName(use, request.server.services.publicUrl))
}

/**
 * Sets a cookie that no script reads and that other sites cannot make a browser send with a form; null seconds until
 * the browser closes.
 */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  use: CookieUse,
  value: string,
  seconds: number | null,
): void {
  const { publicUrl } = request.server.services
  const parts = [`${cookieName(use, publicUrl)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) parts.push('Secure')
  if (seconds !== null) parts.push(`Max-Age=${seconds}`)
  reply.header('Set-Cookie', parts.join('; '))
}

export function clearCookie(request: FastifyRequest, reply: FastifyReply, use: CookieUse): void {
  setCookie(request, reply, use, '', 0)
}

/**
 * As long as browsers keep any cookie: how long somebody stays signed in is decided here, by when they were last seen.
 */
const SESSION_COOKIE_SECONDS = (400 * DAY_MS) / SECOND_MS

function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | null {
  const pair = (cookie ?? '').split(';').find((text) => text.trimStart().startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(pair.indexOf('=') + 1).trim()
}

const FORM_SECRET = /^[A-Za-z0-9_-]{43}$/

/** Of a browser with a session its secret counts, so that signing in makes every form shown before useless. */
function formSecretOf(request: FastifyRequest): string | null {
  const session = sessionSecretOf(request.headers, request.server.services.publicUrl)
  if (session !== null) return session
  const value = readCookie(request, 'form')
  return value !== null && FORM_SECRET.test(value) ? value : null
}

function tokenFor(secret: string): string {
  return createHash('sha256').update(`form ${secret}`).digest('base64url')
}
