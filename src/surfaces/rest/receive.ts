import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, refuse, refuseField } from '../../domain/refusal/refusal.ts'
import type { IpRange } from '../../kernel/ip-range.ts'
import type { Operation, Services } from '../../operations/definition.ts'
import { admit, needsCredential, type OperationHost } from '../../operations/invoke.ts'
import { NO_SESSION, presentedBy } from '../auth/presented.ts'
import { mayBeOperation, pathOf } from '../compat/paths.ts'
import { bearerOf, CORS_HEADERS, PREFLIGHT_HEADERS, rateLimitHeaders, securityHeaders } from '../http/headers.ts'
import type { Answers } from './answers.ts'
import { NO_ROUTE } from './malformed.ts'
import type { KnownMethods } from './methods.ts'
import { isOperator } from './metrics.ts'
import { isApi, isCompat } from './request-state.ts'

export function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { clock, publicUrl }: Pick<Services, 'clock' | 'publicUrl'>,
): void {
  request.startedMs = clock.monotonicMs()
  reply.headers({ ...securityHeaders(publicUrl), 'X-Request-Id': request.id })
  if (isApi(request)) reply.headers({ ...CORS_HEADERS, 'Cache-Control': 'no-store' })
}

export interface Receiving {
  host: OperationHost
  answers: Answers
  operators: readonly IpRange[]
  methods: KnownMethods
}

function allowing(methods: KnownMethods, request: FastifyRequest): { Allow?: string } {
  const known = methods.of(pathOf(request.url))
  if (known.length === 0) return {}
  return { Allow: [...new Set([...known, ...(isApi(request) ? ['OPTIONS'] : [])])].sort().join(', ') }
}

/** Decides from the head whether to read the body. */
export async function receive(
  receiving: Receiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { answers, operators, methods } = receiving
  const wrongHost = hostProblem(request.raw)
  if (wrongHost !== null) return answers.refuse(request, reply, refuseField('Host', wrongHost))
  if (request.method === 'OPTIONS' && isApi(request))
    return reply.code(204).headers(PREFLIGHT_HEADERS).headers(allowing(methods, request)).send()
  if (isCompat(request) && !mayBeOperation(pathOf(request.url))) return answers.refuse(request, reply, NO_ROUTE)
  if (request.is404) return refuseRoute(receiving, request, reply)
  const { operation, operatorsOnly } = request.routeOptions.config
  if (operatorsOnly && !isOperator({ address: request.socket.remoteAddress, headers: request.headers }, operators))
    return answers.refuse(request, reply, NO_ROUTE)
  return operation === undefined ? undefined : admitTo(operation, receiving, request, reply)
}

function refuseRoute({ answers, methods }: Receiving, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = allowing(methods, request)
  const refusal =
    allowed.Allow === undefined ? NO_ROUTE : refuse('method_not_allowed', `This path takes ${allowed.Allow}.`)
  return answers.refuse(request, reply.headers(allowed), refusal)
}

async function admitTo(
  operation: Operation,
  { host, answers }: Receiving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { bearerOnly, refusal = null } = request.routeOptions.config
  const presents = bearerOnly ? bearerOf(request.headers.authorization) : presentedBy(request)
  const presented = needsCredential(operation) ? presents : null
  if (isRefusal(presented)) return answers.refuse(request, reply, presented)
  const admission = await admit(host, operation, presented)
  request.admission = admission
  request.presented = presented
  if (admission.allowance !== null) reply.headers(rateLimitHeaders(admission.allowance))
  if (admission.refusal === null) return refusal === null ? undefined : answers.refuse(request, reply, refusal)
  const noSession = presented?.kind === 'session' && admission.refusal.code === 'unauthorized'
  return answers.refuse(request, reply, noSession ? NO_SESSION : admission.refusal)
}

const HOST = /^[A-Za-z0-9._:[\]-]{1,300}$/

/** Two Host headers are refused, because a proxy in front may use the other one. */
export function hostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) return 'must be given once'
  if (hosts.length === 0 && httpVersion === '1.1') return 'is required'
  return HOST.test(headers.host ?? 'none') ? null : 'is not a host name'
}
