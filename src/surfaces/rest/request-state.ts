import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Operation } from '../../operations/definition.ts'
import type { Presented } from '../../operations/identify.ts'
import type { RequestAdmission } from '../../operations/invoke.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** Others get 404. */
    operatorsOnly?: boolean
  }
  interface FastifyRequest {
    admission: RequestAdmission | null
    /** Null when nothing was required. */
    presented: Presented | null
    startedMs: number
    refusedWith: string | null
    /** Null for an unstreamed answer. */
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

/** Proxies may send an absolute URL. */
export function isApi(request: FastifyRequest): boolean {
  return /^(?:https?:\/\/[^/?#]*)?\/(?:v1|mcp)(?:[/?#]|$)/.test(request.url)
}
