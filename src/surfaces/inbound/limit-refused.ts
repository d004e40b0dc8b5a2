import type { FastifyInstance } from 'fastify'
import { refuse } from '../../domain/refusal/refusal.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import type { Allowance, RateLimits } from '../../operations/rate-limit.ts'
import { RefusedRequest } from '../http/envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted before the signature was checked. */
    hookAllowance: Allowance | null
  }
}

/** Refused messages per network and minute. */
export const REFUSED_PER_MINUTE = 120

/** Counted before the body is read and the signature checked. Accepted messages and our own faults are not. */
export function limitRefused(plugin: FastifyInstance, limits: RateLimits): void {
  const keyOf = (ip: string) => `refused hooks from ${networkOf(ip)}`
  plugin.decorateRequest('hookAllowance', null)
  plugin.addHook('onRequest', async (request) => {
    const allowance = limits.take(keyOf(request.ip), REFUSED_PER_MINUTE)
    if (!allowance.granted)
      throw new RefusedRequest(
        refuse('rate_limited', 'Too many messages from this address were refused.', {
          retryAfterSeconds: allowance.retryAfterSeconds,
        }),
        true,
      )
    request.hookAllowance = allowance
  })
  plugin.addHook('onResponse', async (request, reply) => {
    // A 502 is counted: such a message made this service ask another server, and forged ones must not do that for long.
    const isInnocent = reply.statusCode < 400 || (reply.statusCode >= 500 && reply.statusCode !== 502)
    if (request.hookAllowance !== null && isInnocent) limits.giveBack(keyOf(request.ip), request.hookAllowance)
  })
}
