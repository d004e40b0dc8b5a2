import type { FastifyInstance } from 'fastify'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Operation } from '../../operations/definition.ts'
import { type OperationHost, perform } from '../../operations/invoke.ts'
import { askedOf, sendAnswer } from '../http/answering.ts'
import type { Answers } from './answers.ts'
import './request-state.ts'

export function serveOperation(
  server: FastifyInstance,
  host: OperationHost,
  answers: Answers,
  operation: Operation,
): void {
  server.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation },
    handler: async (request, reply) => {
      const answer = await perform(host, operation, request.admission?.caller ?? null, askedOf(request, reply))
      return isRefusal(answer)
        ? answers.refuse(request, reply, answer)
        : await sendAnswer(answer, host, operation, request, reply)
    },
  })
}
