import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowClient } from '../../commands/oauth/allow-client.ts'
import { knowClient } from '../../commands/oauth/know-client.ts'
import {
  type AuthorizationRequest,
  clientIdOf,
  type Declined,
  type DeclinedToClient,
  readAuthorizationRequest,
} from '../../domain/oauth/authorization-request.ts'
import { isDocumentAddress } from '../../domain/oauth/document-address.ts'
import { withAnswer } from '../../domain/oauth/redirect-uri.ts'
import { isOAuthRefusal, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import type { Scope } from '../../domain/oauth/scope.ts'
import { isRefusal, refuse } from '../../domain/refusal/refusal.ts'
import { fromId, type Uuid } from '../../kernel/ids.ts'
import type { SessionPerson } from '../../queries/accounts/find-session-person.ts'
import { listWorkspacesOf, type WorkspaceOfPerson } from '../../queries/accounts/list-workspaces-of.ts'
import { hasAllowed } from '../../queries/oauth/has-allowed.ts'
import { formOf, personOf, sessionHashOf } from '../auth/browser.ts'
import { sendRefusal } from '../auth/mount-pages.ts'
import { withNext } from '../auth/next.ts'
import { leadTo, sendPage } from '../auth/page.ts'
import { type ConsentChoice, consentPage, unanswerablePage } from './consent-page.ts'
import { type OAuthContext, PATHS } from './context.ts'

/** Client documents read per person and minute, so that nobody makes the service probe addresses. */
const DOCUMENTS_PER_MINUTE = 20

/** Answers per person and minute. */
export const ANSWERS_PER_MINUTE = 20

/** The consent form carries these parameters. */
export const REQUEST_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

/** Asks a person whether a client may act for them. A decision is never reused for another request. */
export function serveAuthorize(pages: FastifyInstance, context: OAuthContext): void {
  pages.get(PATHS.authorize, async (request, reply) => {
    const judged = await judge(context, request, new URL(request.url, context.services.publicUrl).searchParams)
    return 'asking' in judged
      ? showConsent(request, reply, judged.asking, {})
      : turnAway(context, request, reply, judged)
  })

  pages.post(PATHS.authorize, async (request, reply) => {
    const form = formOf(request)
    const judged = await judge(context, request, form)
    if (!('asking' in judged)) return turnAway(context, request, reply, judged)
    const { person, workspaces, request: asked } = judged.asking
    const { granted, retryAfterSeconds } = await context.limits.exact.take(
      `authorize ${person.user.id}`,
      ANSWERS_PER_MINUTE,
    )
    if (!granted)
      return sendRefusal(
        request,
        reply,
        refuse('rate_limited', 'Too many decisions. Wait a minute, then try again.', { retryAfterSeconds }),
      )
    const { redirectUri, state } = asked
    const decision = form.get('decision')
    if (decision === 'deny')
      return decline(context, request, reply, {
        refusal: refuseOAuth('access_denied', 'The person denied access.'),
        redirectUri,
        state,
      })
    const chosen = {
      workspaceId: fromId('org', form.get('workspace') ?? ''),
      scope: scopeFrom(form.get('access'), asked.scope),
    }
    const workspace = workspaces.find(({ id }) => id === chosen.workspaceId)
    const problem = problemWith(decision, workspace, chosen.scope)
    if (problem !== null) return showConsent(request, reply, judged.asking, { ...chosen, problem })
    const allowed = await allowClient(
      { ...context.services, workspaceId: workspace!.id },
      { request: asked, userId: person.user.id, sessionHash: sessionHashOf(request)!, scope: chosen.scope! },
    )
    if (isRefusal(allowed)) return showConsent(request, reply, judged.asking, { problem: allowed.message })
    return leadTo(reply, withAnswer(redirectUri, { code: allowed.code, state, iss: context.services.publicUrl }))
  })
}

interface Asking {
  request: AuthorizationRequest
  person: SessionPerson
  workspaces: WorkspaceOfPerson[]
}

type Judged = { asking: Asking } | { declined: Declined } | { signInFirst: URLSearchParams }

/**
 * Checks the client, its redirect, the request and the person, in this order. Signed-out people are redirected nowhere
 * (RFC 9700, section 4.11.2): anybody may register a client, so a deliberate error would be an open redirect. Errors
 * redirect signed-in people only to clients that they allowed before. Client documents are read only for signed-in
 * people, or anybody could make the service read any address.
 */
async function judge(
  { services, limits, fetchDocument }: OAuthContext,
  request: FastifyRequest,
  given: URLSearchParams,
): Promise<Judged> {
  const asked = new URLSearchParams([...given].filter(([name]) => REQUEST_PARAMETERS.some((item) => item === name)))
  const clientId = clientIdOf(asked)
  if (isOAuthRefusal(clientId)) return onPage(clientId)
  const person = await personOf(request)
  if (person === null && isDocumentAddress(clientId)) return { signInFirst: asked }
  const client = await knowClient(services, clientId, async (address) => {
    if (fetchDocument === null) return null
    const allowance = await limits.exact.take(`client documents ${person!.user.id}`, DOCUMENTS_PER_MINUTE)
    return allowance.granted ? fetchDocument(address) : null
  })
  if (isOAuthRefusal(client)) return onPage(client)
  const read = readAuthorizationRequest(asked, client, services.publicUrl)
  if ('where' in read && read.where === 'page') return { declined: read }
  if (person === null) return { signInFirst: asked }
  if ('where' in read)
    return (await hasAllowed(services.db, person.user.id, client.id)) ? { declined: read } : onPage(read.refusal)
  return { asking: { request: read, person, workspaces: await listWorkspacesOf(services.db, person.user.id) } }
}

function onPage(refusal: OAuthRefusal): Judged {
  return { declined: { where: 'page', refusal } }
}

function turnAway(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  judged: { declined: Declined } | { signInFirst: URLSearchParams },
): FastifyReply {
  if ('signInFirst' in judged) return leadTo(reply, withNext('/sign-in', `${PATHS.authorize}?${judged.signInFirst}`))
  const { declined } = judged
  if (declined.where === 'client') return decline(context, request, reply, declined)
  request.refusedWith = declined.refusal.error
  return sendPage(reply, unanswerablePage(declined.refusal), 400)
}

function decline(
  { services }: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { refusal: { error, description }, redirectUri, state }: DeclinedToClient,
): FastifyReply {
  request.refusedWith = error
  return leadTo(
    reply,
    withAnswer(redirectUri, { error, error_description: description, state, iss: services.publicUrl }),
  )
}

function showConsent(
  request: FastifyRequest,
  reply: FastifyReply,
  { request: asked, person, workspaces }: Asking,
  chosen: ConsentChoice,
): FastifyReply {
  const page = consentPage(request, reply, { asked, person, workspaces, chosen })
  return sendPage(reply, page, chosen.problem === undefined ? 200 : 400)
}

/** Null for nothing, or for more than the client requested. */
function scopeFrom(access: string | null, asked: Scope): Scope | null {
  if (access === 'read') return 'read'
  return access === 'write' && asked === 'write' ? 'write' : null
}

function problemWith(decision: string | null, workspace: { id: Uuid } | undefined, scope: Scope | null): string | null {
  if (decision !== 'allow') return 'Choose Allow or Do not allow.'
  if (workspace === undefined) return 'Choose a workspace.'
  return scope === null ? 'Choose what the app may do.' : null
}
