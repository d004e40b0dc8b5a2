import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal } from '../../domain/refusal/refusal.ts'
import type { Method } from '../../operations/definition.ts'
import { type OperationHost, perform } from '../../operations/invoke.ts'
import { askedOf, sendAnswer } from '../http/answering.ts'
import { CORS_HEADERS } from '../http/headers.ts'
import { boundTo, type CompatOperation } from './define.ts'
import { describedCompat } from './document.ts'
import { UNKNOWN } from './off.ts'
import { COMPAT_ROOT } from './paths.ts'

export interface CompatOptions {
  host: OperationHost
  answers: { refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply }
  catalogue: readonly CompatOperation[]
}

/** Pages of other origins may read the number of exported rows. */
const EXPOSED = `${CORS_HEADERS['Access-Control-Expose-Headers']}, X-Total-Count`

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
        if (operation.exports) reply.header('Access-Control-Expose-Headers', EXPOSED)
        return isRefusal(answer)
          ? answers.refuse(request, reply, answer)
          : await sendAnswer(answer, host, operation, request, reply)
      },
    })
  }
  serveDocument(server, host, catalogue)
  const config = { operation: UNKNOWN, bearerOnly: true, refusal: UNKNOWN.refusal }
  // Paths that a parameter of another operation would take for an id.
  for (const { method, path } of shadowed(catalogue))
    server.route({ method, url: path, config, handler: async () => undefined })
  // Paths and methods that nobody knows. A preflight request is answered before.
  server.route({
    method: server.supportedMethods.filter((method) => method !== 'OPTIONS'),
    url: `${COMPAT_ROOT}/*`,
    exposeHeadRoute: false,
    config,
    handler: async () => undefined,
  })
}

/** Methods that a path without parameters has not, and that a path with one at the same place has. */
function shadowed(catalogue: readonly CompatOperation[]): { method: Method; path: string }[] {
  const isFixed = ({ path }: CompatOperation) => !path.includes('{')
  const paths = new Set([...catalogue.filter(isFixed).map(({ path }) => path), `${COMPAT_ROOT}/openapi.json`])
  const known = new Set(catalogue.map(({ method, path }) => `${method} ${path}`))
  return [...paths].flatMap((path) => {
    const takers = catalogue.filter((other) => !isFixed(other) && patternOf(other).test(path))
    const methods = new Set(takers.map(({ method }) => method))
    return [...methods].filter((method) => !known.has(`${method} ${path}`)).map((method) => ({ method, path }))
  })
}

function patternOf({ path }: CompatOperation): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
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
