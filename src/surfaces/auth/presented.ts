import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../domain/refusal/refusal.ts'
import type { Presented } from '../../operations/identify.ts'
import { bearerOf } from '../http/headers.ts'
import { formTokenFits, sessionSecretOf } from './browser.ts'

/** A header precedes a cookie. A cookie counts only from our own page, and a change also needs the CSRF token. */
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

/** The usual refusal speaks of keys and tokens. */
export const NO_SESSION = refuse(
  'unauthorized',
  'This browser is not signed in, or has no workspace chosen: sign in at /sign-in, or choose one at /workspaces.',
)

/** Browsers without Sec-Fetch-Site send Origin at least with changes. */
export function isFromOurPage({ headers, method, server }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin === undefined ? changesNothing(method) : origin === server.services.publicUrl
}

function changesNothing(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
