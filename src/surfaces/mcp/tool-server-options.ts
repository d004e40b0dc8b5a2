import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Operation } from '../../operations/definition.ts'
import type { OperationHost } from '../../operations/invoke.ts'

/** Answers outside the protocol. */
export interface PlainAnswers {
  refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply
  fail(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply
}

export interface ToolServerOptions {
  host: OperationHost
  answers: PlainAnswers
  catalogue: readonly Operation[]
  /** Without a slash at the end. */
  publicUrl: string
}
