import type { FastifyReply, FastifyRequest } from 'fastify'
import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import type { Allowance } from '../../operations/rate-limit.ts'
import { rateLimitHeaders } from '../http/headers.ts'
import type { OAuthContext } from './context.ts'

/** Per network and minute, since each may cost a signature check. */
export const CREDENTIALS_PER_MINUTE = 240

/** Counted before the client is known. Null when allowed. */
export function countCredentials(
  { limits }: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
): OAuthRefusal | null {
  const allowance = limits.take(`client credentials from ${networkOf(request.ip)}`, CREDENTIALS_PER_MINUTE)
  return allowance.granted ? null : tooMany(reply, allowance, 'Too many requests from this address. Try again later.')
}

export function tooMany(reply: FastifyReply, allowance: Allowance, why: string): OAuthRefusal {
  reply.headers({ ...rateLimitHeaders(allowance), 'Retry-After': String(allowance.retryAfterSeconds) })
  return refuseOAuth('rate_limited', why)
}
