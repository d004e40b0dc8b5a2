import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../operations/definition.ts'
import type { Presented } from '../../operations/identify.ts'
import type { Admission } from '../../operations/invoke.ts'

/** What is known of a request while it is answered. */
declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** True for what only operators may see; to all others there is no such route. */
    operatorsOnly?: boolean
  }
  interface FastifyRequest {
    admission: Admission | null
    /** What the caller showed of itself; null when nothing was asked for. */
    presented: Presented | null
    startedMs: number
    /** The code with which the request was refused, for the log. */
    refusedWith: string | null
    /** Bytes of a streamed body so far; null for an answer that is sent whole. */
    streamedBytes: number | null
  }
}

export function decorateRequests(server: FastifyInstance): void {
  server.decorateRequest('admission', null)
  server.decorateRequest('presented', null)
  server.decorateRequest('startedMs', 0)
  server.decorateRequest('refusedWith', null)
  server.decorateRequest('streamedBytes', null)
}

/**
 * Whether the target of a request is of the interface or the tool server; it may be a path or, as proxies send it, a
 * whole address.
 */
export function isApi(request: FastifyRequest): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/(?:v1|mcp)(?:[/?#]|$)/.test(request.url)
}
