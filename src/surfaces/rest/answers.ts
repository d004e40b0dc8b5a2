import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Log } from '../../kernel/log.ts'
import { failureOf } from '../../operations/invoke.ts'
import { compatAnswerTo } from '../compat/envelope.ts'
import { answerTo, RefusedRequest, refusalBehind } from '../http/envelope.ts'
import { bearerOf, challenge } from '../http/headers.ts'
import { isCompat } from './request-state.ts'

export class Answers {
  private readonly log: Log
  private readonly publicUrl: string

  constructor({ log, publicUrl }: { log: Log; publicUrl: string }) {
    this.log = log
    this.publicUrl = publicUrl
  }

  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
    const { status, headers, body } = isCompat(request)
      ? compatAnswerTo(refusal, request.id, request.routeOptions.config?.notFound)
      : answerTo(refusal, request.id)
    request.refusedWith = refusal.code
    if (refusal.code === 'unauthorized')
      reply.header('WWW-Authenticate', challenge(this.publicUrl, bearerOf(request.headers.authorization) !== null))
    if (refusal.movedTo !== undefined) reply.header('Location', refusal.movedTo + request.url)
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
  }

  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    // Fastify closes the connection after every unread body, which can lose the answer of a client that still sends.
    // Only `hangUp` should do so.
    if (error instanceof RefusedRequest && error.hangUp) reply.header('Connection', 'close')
    else reply.removeHeader('Connection')
    const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
    return this.refuse(request, reply, refusalBehind(error) ?? failureOf(error, this.log, about))
  }
}
