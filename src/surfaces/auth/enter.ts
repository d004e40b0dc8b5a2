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
 * Continues to `next`, the account or the choice of a workspace. People whose password ended set a new one first. The
 * browser's earlier session ends.
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
  // Null when the person was just signed out everywhere.
  if (person !== null) knowBrowser(request, reply, person.user.email.toLowerCase())
  if (signedIn.lostPassword) return leadTo(reply, `${withNext('/account/password', next ?? '/account')}&lost`)
  if (next !== null) return leadTo(reply, next)
  const workspaces = await listWorkspacesOf(services.db, signedIn.userId)
  return leadTo(reply, workspaces.length === 1 ? request.server.home : '/workspaces')
}

export function goOn(reply: FastifyReply, next: string | null): FastifyReply {
  return leadTo(reply, next ?? reply.request.server.home)
}

export function nextOf(request: FastifyRequest, given: URLSearchParams | null = null): string | null {
  const { next } = request.query as { next?: unknown }
  const text = given === null ? next : given.get('next')
  return localPath(typeof text === 'string' ? text : null, request.server.services.publicUrl)
}

/** Returns to the page afterwards, unless the request was a form. */
export function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const wanted = request.method === 'POST' ? null : localPath(request.url, request.server.services.publicUrl)
  return leadTo(reply, withNext('/sign-in', wanted))
}

/** While the person opens the link of a mail. */
export function rememberNext(request: FastifyRequest, reply: FastifyReply, next: string | null): void {
  const value = encodeURIComponent(next ?? '')
  // Browsers drop cookies over 4096 bytes. The person then continues at their account.
  if (value !== '' && value.length <= 3800) setCookie(request, reply, 'next', value, NEXT_SECONDS)
  else if (readCookie(request, 'next') !== null) clearCookie(request, reply, 'next')
}

/** The lifetime of the longest link. */
const NEXT_SECONDS = 24 * 60 * 60

/** Once. */
export function takeNext(request: FastifyRequest, reply: FastifyReply): string | null {
  const value = readCookie(request, 'next')
  if (value === null) return null
  clearCookie(request, reply, 'next')
  return localPath(decoded(value), request.server.services.publicUrl)
}

/** Null for text that `rememberNext` did not encode. */
function decoded(value: string): string | null {
  return /^(?:[A-Za-z0-9_.!~*'()-]|%[0-9A-F]{2})*$/.test(value) && !/%[89A-F]/.test(value)
    ? decodeURIComponent(value)
    : null
}
