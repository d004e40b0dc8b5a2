import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal/refusal.ts'
import type { Operation } from '../../operations/definition.ts'
import type { Presented } from '../../operations/identify.ts'
import type { RequestAdmission } from '../../operations/invoke.ts'
import type { NotFoundCode } from '../compat/envelope.ts'
import { isCompatPath, pathOf } from '../compat/paths.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
    /** Others get 404. */
    operatorsOnly?: boolean
    /** Answers the door of cells, and nobody else. */
    doorOnly?: boolean
    /** Sessions do not count. */
    bearerOnly?: boolean
    /** What a missing thing is called in the compatibility interface. */
    notFound?: NotFoundCode
    /** For whoever is admitted, before the body is read. */
    refusal?: Refusal | null
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
  return /^(?:https?:\/\/[^/?#]*)?\/(?:v1|mcp|compat)(?:[/?#]|$)/.test(request.url)
}

export function isCompat(request: FastifyRequest): boolean {
  return isCompatPath(pathOf(request.url))
}
