import type { FastifyInstance } from 'fastify'
import { type Origin, withOrigin } from '../../kernel/origin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    origin: Origin | null
  }
}

/** Entered again after the body, because body events lose the context of earlier hooks. */
export function keepOrigins(server: FastifyInstance): void {
  server.decorateRequest('origin', null)
  server.addHook('onRequest', (request, _reply, done) => {
    request.origin = { agent: { kind: 'unknown' }, address: request.ip, requestId: request.id }
    withOrigin(request.origin, done)
  })
  server.addHook('preValidation', (request, _reply, done) => withOrigin(request.origin!, done))
}
