import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import { type OperationHost, perform } from '../../operations/invoke.ts'
import { askedOf, sendAnswer } from '../http/answering.ts'
import { boundTo, type CompatOperation } from './define.ts'
import { describedCompat } from './document.ts'
import { UNKNOWN } from './off.ts'
import { COMPAT_ROOT } from './paths.ts'

export interface CompatOptions {
  host: OperationHost
  answers: { refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply }
  catalogue: readonly CompatOperation[]
}

/** The interface of another vendor, over the commands and queries of ours. */
export function serveCompat(server: FastifyInstance, { host, answers, catalogue }: CompatOptions): void {
  for (const defined of catalogue) {
    const operation = boundTo(host.services, defined)
    server.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation, bearerOnly: true, notFound: operation.notFound, refusal: operation.refusal },
      handler: async (request, reply) => {
        const answer = await perform(host, operation, request.admission?.caller ?? null, askedOf(request, reply))
        return isRefusal(answer)
          ? answers.refuse(request, reply, answer)
          : await sendAnswer(answer, host, operation, request, reply)
      },
    })
  }
  serveDocument(server, host, catalogue)
  // Paths and methods that nobody knows. A preflight request is answered before.
  server.route({
    method: server.supportedMethods.filter((method) => method !== 'OPTIONS'),
    url: `${COMPAT_ROOT}/*`,
    exposeHeadRoute: false,
    config: { operation: UNKNOWN, bearerOnly: true, refusal: UNKNOWN.refusal },
    handler: async () => undefined,
  })
}

function serveDocument(
  server: FastifyInstance,
  { services }: OperationHost,
  catalogue: readonly CompatOperation[],
): void {
  let text: Buffer | undefined
  const document = (): Buffer => (text ??= Buffer.from(JSON.stringify(describedCompat(catalogue, services.publicUrl))))
  server.get(`${COMPAT_ROOT}/openapi.json`, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document()),
  )
}
