import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAUTH_ERRORS, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { failureOf } from '../../operations/invoke.ts'
import { answerTo, RefusedRequest, refusalBehind } from '../http/envelope.ts'
import { CORS_HEADERS, PREFLIGHT_HEADERS } from '../http/headers.ts'

/** RFC 6749, section 5.1: answers with secrets are not cached. */
const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

export function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
  return reply.code(status).headers(NOT_KEPT).type('application/json; charset=utf-8').send(body)
}

export function sendOAuthRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, description }: OAuthRefusal,
): FastifyReply {
  request.refusedWith = error
  // RFC 6749, section 5.2.
  if (error === 'invalid_client' && request.headers.authorization !== undefined)
    reply.header('WWW-Authenticate', 'Basic realm="Earshot", charset="UTF-8"')
  return sendJson(reply, { error, error_description: description }, OAUTH_ERRORS[error])
}

/**
 * Any web page may call these endpoints: they use no cookies and answer whoever holds the secrets. Errors have OAuth's
 * form.
 */
export function answerPrograms(server: FastifyInstance, log: Log): void {
  server.addHook('onRequest', async (request, reply) => {
    request.countedAs = 'oauth'
    reply.headers(CORS_HEADERS)
  })
  server.setErrorHandler((error, request, reply) => {
    // Fastify closes the connection after every unread body, which only `hangUp` should do.
    if (error instanceof RefusedRequest && error.hangUp) reply.header('Connection', 'close')
    else reply.removeHeader('Connection')
    const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
    const refusal = refusalBehind(error) ?? failureOf(error, log, about)
    request.refusedWith = refusal.code
    return sendJson(reply.headers(answerTo(refusal, request.id).headers), bodyFor(refusal), statusFor(refusal))
  })
}

export function servePreflights(server: FastifyInstance, paths: readonly string[]): void {
  for (const url of paths)
    server.options(url, async (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send())
}

/** RFC 6749 allows only printable ASCII without quotation marks and backslashes. */
function bodyFor({ status, message }: Refusal): { error: string; error_description: string } {
  const { error, description } = refuseOAuth(
    status >= 500 ? 'server_error' : 'invalid_request',
    message.replace(/[^\x20-\x7e]|["\\]/g, "'"),
  )
  return { error, error_description: description }
}

/** OAuth knows only 400 for unreadable requests. Size, time and server errors keep their status. */
function statusFor({ status }: Refusal): number {
  return status === 408 || status === 413 || status >= 500 ? status : 400
}
