import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Presented } from '../../operations/identify.ts'
import { bearerOf } from '../http/headers.ts'
import { formTokenFits, sessionSecretOf } from './browser.ts'

/**
 * What a request to the interface shows of itself. A header counts before a cookie, and a cookie only when a page of
 * ours made the browser send it; what changes something needs the token of that page besides.
 */
export function presentedBy(request: FastifyRequest): Presented | Refusal<'unauthorized'> | null {
  const { headers, method } = request
  if (headers.authorization !== undefined) return bearerOf(headers.authorization)
  const secret = sessionSecretOf(headers, request.server.services.publicUrl)
  if (secret === null || !isFromOurPage(request)) return null
  const token = headers['x-csrf-token']
  if (!changesNothing(method) && !formTokenFits(request, typeof token === 'string' ? token : null))
    return refuse('unauthorized', 'A change by session needs the form token of this browser in X-CSRF-Token.')
  return { kind: 'session', secret }
}

/** What is said instead of the usual refusal of a credential, which speaks of keys and tokens. */
export const NO_SESSION = refuse(
  'unauthorized',
  'This browser is not signed in, or has no workspace chosen: sign in at /sign-in, or choose one ' + 'at /workspaces.',
)

/**
 * Whether a page of this installation made the browser send a request. Browsers that do not say where it comes from
 * name the origin at least with what changes something.
 */
export function isFromOurPage({ headers, method, server }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin === undefined ? changesNothing(method) : origin === server.services.publicUrl
}

function changesNothing(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
