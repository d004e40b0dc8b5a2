import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Refusal, refuseField } from '../../domain/refusal/refusal.ts'
import { madeOnce } from '../../kernel/concurrency/made-once.ts'
import { RefusedRequest } from '../http/envelope.ts'
import { challengeToPage } from './challenge.ts'
import { createGate } from './gate.ts'
import { PARSE_ERROR, rejection, send } from './reply.ts'
import type { ToolServerOptions } from './tool-server-options.ts'

declare module 'fastify' {
  interface FastifyRequest {
    countedAs: string | null
  }
}

/** Without sessions. The library of the protocol and the tools are loaded for the first who asks. */
export function serveTools(server: FastifyInstance, options: ToolServerOptions): void {
  const { answers, publicUrl } = options
  const gateProblem = createGate(publicUrl)
  const answerTools = madeOnce(async () => (await import('./answer-tools.ts')).createToolAnswers(options))
  server.decorateRequest('countedAs', null)
  server.route({
    method: 'POST',
    url: '/mcp',
    onRequest: async (request, reply) => {
      request.countedAs = 'tools'
      const problem =
        gateProblem({ headers: request.headers, localPort: request.socket.localPort }) ?? viewProblem(request)
      if (problem?.code === 'invalid_origin') reply.header('WWW-Authenticate', challengeToPage(publicUrl))
      return problem === null ? undefined : answers.refuse(request, reply, problem)
    },
    handler: async (request, reply) => (await answerTools())(request, reply),
    errorHandler: (error, request, reply) => {
      if (!(error instanceof RefusedRequest) || error.refusal.code !== 'validation_error')
        return answers.fail(request, reply, error)
      if (error.hangUp) reply.header('Connection', 'close')
      return send(reply, rejection(400, PARSE_ERROR, error.refusal.message))
    },
  })
  server.route({
    method: ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'],
    url: '/mcp',
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      request.countedAs = 'tools'
      return send(
        reply.header('Allow', 'POST, OPTIONS'),
        rejection(405, NOT_SERVED, 'Use POST. The tool server has no sessions and no streams.'),
      )
    },
    handler: () => undefined,
  })
}

/** Our own error code, outside the protocol's reserved range. */
const NOT_SERVED = -31_405

function viewProblem({ query }: FastifyRequest): Refusal<'validation_error'> | null {
  const { tools } = query as { tools?: unknown }
  return tools === undefined || tools === 'core' || tools === 'all'
    ? null
    : refuseField('tools', 'must be all, or absent for the short list')
}
