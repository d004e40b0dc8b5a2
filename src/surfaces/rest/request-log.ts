import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, SECOND_MS } from '../../kernel/clock.ts'
import { toId } from '../../kernel/ids.ts'
import { callerIdOf } from '../../operations/identify.ts'
import type { ServedMetrics } from './request-metrics.ts'

import { isApi } from './request-state.ts'

/** Never the path, which the caller chooses. */
function operationOf(request: FastifyRequest): string {
  const { config, url } = request.routeOptions
  if (request.countedAs) return request.countedAs
  if (config.operation !== undefined) return config.operation.id
  if (request.method === 'OPTIONS' && isApi(request)) return 'preflight'
  if (url === undefined || request.is404 || request.refusedWith === 'not_found') return 'unknown'
  return config.operatorsOnly ? 'metrics' : 'page'
}

export function countRequest(metrics: ServedMetrics, request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  const operation = operationOf(request)
  metrics.requests.inc({ operation, status: statusOf(reply) ?? 'none' })
  metrics.requestSeconds.observe({ operation }, (clock.monotonicMs() - request.startedMs) / SECOND_MS)
}

/** One line per request without credential, query and body. */
export function lineOf(request: FastifyRequest, reply: FastifyReply, clock: Clock): Record<string, unknown> {
  const caller = request.admission?.caller
  return {
    method: request.method,
    operation: operationOf(request),
    route: request.routeOptions.url ?? null,
    status: statusOf(reply),
    ms: Math.round((clock.monotonicMs() - request.startedMs) * 10) / 10,
    bytes: bytesOf(request, reply),
    requestId: request.id,
    ...(caller ? { workspaceId: toId('org', caller.workspaceId), callerId: callerIdOf(caller) } : {}),
    ...(request.refusedWith === null ? {} : { code: request.refusedWith }),
    ...(reply.raw.writableFinished ? {} : { brokenOff: true }),
  }
}

/** Null when the caller disconnected before the answer. */
function statusOf(reply: FastifyReply): number | null {
  return reply.raw.headersSent ? reply.statusCode : null
}

function bytesOf(request: FastifyRequest, reply: FastifyReply): number {
  return request.method === 'HEAD' ? 0 : (request.streamedBytes ?? Number(reply.getHeader('content-length') ?? 0))
}
