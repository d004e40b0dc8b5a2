import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OAUTH_ERRORS, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { failureOf } from '../../operations/invoke.ts'
import { answerTo, Refused, refusalBehind } from '../http/envelope.ts'
import { CORS_HEADERS, PREFLIGHT_HEADERS } from '../http/headers.ts'

/** Answers are secrets, and none is to be found in a cache (RFC 6749, section 5.1). */
const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

/** Answers a program. */
export function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
  return reply.code(status).headers(NOT_KEPT).type('application/json; charset=utf-8').send(body)
}

/** Answers a program in the words of OAuth why not. */
export function sendOAuthRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, description }: OAuthRefusal,
): FastifyReply {
  request.refusedWith = error
  // RFC 6749, section 5.2: a client that used the header is told of it.
  if (error === 'invalid_client' && request.headers.authorization !== undefined)
    reply.header('WWW-Authenticate', 'Basic realm="Earshot", charset="UTF-8"')
  return sendJson(reply, { error, error_description: description }, OAUTH_ERRORS[error])
}

/**
 * Lets any web page ask these endpoints: they know no cookies, and what they answer is for whoever holds the secrets
 * that were sent. What goes wrong is answered in the words of OAuth.
 */
export function answerPrograms(server: FastifyInstance, log: Log): void {
  server.addHook('onRequest', async (request, reply) => {
    request.countedAs = 'oauth'
    reply.headers(CORS_HEADERS)
  })
  server.setErrorHandler((error, request, reply) => {
    // As for the interface: the framework closes after every body it did not get.
    if (error instanceof Refused && error.hangUp) reply.header('Connection', 'close')
    else reply.removeHeader('Connection')
    const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
    const refusal = refusalBehind(error) ?? failureOf(error, log, about)
    request.refusedWith = refusal.code
    return sendJson(reply.headers(answerTo(refusal, request.id).headers), bodyFor(refusal), statusFor(refusal))
  })
}

/** Answers the question of a browser whether a page may ask. */
export function servePreflights(server: FastifyInstance, paths: readonly string[]): void {
  for (const url of paths)
    server.options(url, async (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send())
}

/** In the words of OAuth, whose descriptions are of printable ASCII without quotation marks and backslashes. */
function bodyFor({ status, message }: Refusal): { error: string; error_description: string } {
  const { error, description } = refuseOAuth(
    status >= 500 ? 'server_error' : 'invalid_request',
    message.replace(/[^\x20-\x7e]|["\\]/g, "'"),
  )
  return { error, error_description: description }
}

/**
 * What cannot be read is a bad request and nothing else to OAuth; that it is too large or too late is worth a status.
 */
function statusFor({ status }: Refusal): number {
  return status === 408 || status === 413 || status >= 500 ? status : 400
}
