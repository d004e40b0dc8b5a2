import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../commands/accounts/open-session.ts'
import { signOut } from '../../commands/accounts/sign-out.ts'
import { secretOf } from '../../kernel/secrets.ts'
import { findSessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf } from '../../queries/accounts/list-workspaces-of.ts'
import { clearCookie, readCookie, sessionHashOf, setCookie, setSession } from './browser.ts'
import { knowBrowser } from './known-browser.ts'
import { localPath, withNext } from './next.ts'
import { leadTo } from './page.ts'

/**
 * Lets somebody who has just been signed in go on: to where they wanted before, else to their account, or to the choice
 * of a workspace when there is one to make. Who has lost their password with it sets another one first. What was open
 * in this browser before is closed.
 */
export async function enter(
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
  next: string | null,
): Promise<FastifyReply> {
  const { services } = request.server
  const before = sessionHashOf(request)
  if (before !== null) await signOut(services, before)
  setSession(request, reply, signedIn.secret)
  const person = await findSessionPerson(services.db, secretOf(signedIn.secret)!.hash, services.clock.now())
  // Null when the person was signed out everywhere in this very moment.
  if (person !== null) knowBrowser(request, reply, person.user.email.toLowerCase())
  if (signedIn.lostPassword) return leadTo(reply, `${withNext('/account/password', next ?? '/account')}&lost`)
  if (next !== null) return leadTo(reply, next)
  const workspaces = await listWorkspacesOf(services.db, signedIn.userId)
  return leadTo(reply, workspaces.length === 1 ? '/account' : '/workspaces')
}

/** Where somebody who is signed in already goes on to. */
export function goOn(reply: FastifyReply, next: string | null): FastifyReply {
  return leadTo(reply, next ?? '/account')
}

/** The place to go on to that a page was given in its address, or a form carried along. */
export function nextOf(request: FastifyRequest, given: URLSearchParams | null = null): string | null {
  const { next } = request.query as { next?: unknown }
  const text = given === null ? next : given.get('next')
  return localPath(typeof text === 'string' ? text : null, request.server.services.publicUrl)
}

/** Asks somebody to sign in first; a page that was only to be shown is shown after that. */
export function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wanted = request.method === 'POST' ? null : localPath(request.url, request.server.services.publicUrl)
  return leadTo(reply, withNext('/sign-in', wanted))
}

/** Keeps in mind where this browser goes on to, while its person looks for the link in a mail. */
export function rememberNext(request: FastifyRequest, reply: FastifyReply, next: string | null): void {
  const value = encodeURIComponent(next ?? '')
  // Browsers drop a cookie of more than 4096 bytes; the person then goes on from their account.
  if (value !== '' && value.length <= 3800) setCookie(request, reply, 'next', value, NEXT_SECONDS)
  else if (readCookie(request, 'next') !== null) clearCookie(request, reply, 'next')
}

/** As long as the link that works longest. */
const NEXT_SECONDS = 24 * 60 * 60

/** Where this browser was to go on to, once. */
export function takeNext(request: FastifyRequest, reply: FastifyReply): string | null {
  const value = readCookie(request, 'next')
  if (value === null) return null
  clearCookie(request, reply, 'next')
  return localPath(decoded(value), request.server.services.publicUrl)
}

/** Null for what was not encoded by us. */
function decoded(value: string): string | null {
  return /^(?:[A-Za-z0-9_.!~*'()-]|%[0-9A-F]{2})*$/.test(value) && !/%[89A-F]/.test(value)
    ? decodeURIComponent(value)
    : null
}
