import type { FastifyInstance } from 'fastify'
import { refuse } from '../../domain/refusal/refusal.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import type { Allowance, RateLimits } from '../../operations/rate-limit.ts'
import { Refused } from '../http/envelope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was counted as before it was known to come from a provider. */
    hookAllowance: Allowance | null
  }
}

/** Messages from one network in a minute that were refused, beyond which nothing of another is read. */
export const REFUSED_PER_MINUTE = 120

/**
 * Counts messages by their network before their bodies are read and signatures judged; what was taken is not counted.
 */
export function limitRefused(plugin: FastifyInstance, limits: RateLimits): void {
  const keyOf = (ip: string) => `refused hooks from ${networkOf(ip)}`
  plugin.decorateRequest('hookAllowance', null)
  plugin.addHook('onRequest', async (request) => {
    const allowance = limits.take(keyOf(request.ip), REFUSED_PER_MINUTE)
    if (!allowance.granted)
      throw new Refused(
        refuse('rate_limited', 'Too many messages from this address were refused.', {
          retryAfterSeconds: allowance.retryAfterSeconds,
        }),
        true,
      )
    request.hookAllowance = allowance
  })
  plugin.addHook('onResponse', async (request, reply) => {
    const isOurFault = reply.statusCode < 400 || reply.statusCode >= 500
    if (request.hookAllowance !== null && isOurFault) limits.giveBack(keyOf(request.ip), request.hookAllowance)
  })
}
