import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exchangeCode } from '../../commands/oauth/exchange-code.ts'
import type { IssuedTokens } from '../../commands/oauth/issue-tokens.ts'
import { refreshTokens } from '../../commands/oauth/refresh-tokens.ts'
import { isOurs } from '../../domain/oauth/authorization-request.ts'
import { ACCESS_TOKEN_MS } from '../../domain/oauth/lifetimes.ts'
import { isOAuthRefusal, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { readScope, scopeText } from '../../domain/oauth/scope.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import { sendJson, sendOAuthRefusal } from './answers.ts'
import { authenticateClient } from './authenticate-client.ts'
import { type OAuthContext, PATHS } from './context.ts'
import { countCredentials, tooMany } from './network-limit.ts'
import { parametersOf } from './parameters.ts'

/** RFC 7636, section 4.1. A shorter one could be guessed. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

/** Per client, network and minute. A web service uses one client for all its people. */
export const TOKEN_REQUESTS_PER_MINUTE = 60

export function serveToken(server: FastifyInstance, context: OAuthContext): void {
  server.post(PATHS.token, async (request, reply) => {
    const given = parametersOf(request.body)
    const issued = isOAuthRefusal(given) ? given : await issue(context, request, reply, given)
    if (isOAuthRefusal(issued)) return sendOAuthRefusal(request, reply, issued)
    const { accessToken, refreshToken, scope } = issued
    return sendJson(reply, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_MS / SECOND_MS,
      refresh_token: refreshToken,
      scope: scopeText(scope),
    })
  })
}

async function issue(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  given: URLSearchParams,
): Promise<IssuedTokens | OAuthRefusal> {
  const { services, limits } = context
  const grantType = given.get('grant_type')
  if (grantType === null) return refuseOAuth('invalid_request', 'grant_type is missing.')
  const overLimit = countCredentials(context, request, reply)
  if (overLimit !== null) return overLimit
  const client = await authenticateClient(context, request.headers.authorization, given)
  if (isOAuthRefusal(client)) return client
  const allowance = limits.take(`token ${client.id} ${networkOf(request.ip)}`, TOKEN_REQUESTS_PER_MINUTE)
  if (!allowance.granted)
    return tooMany(reply, allowance, 'Too many requests of this client from this address. Try again later.')
  if (!given.getAll('resource').every((resource) => isOurs(resource, services.publicUrl)))
    return refuseOAuth('invalid_target', `resource must be ${toolServerUrl(services.publicUrl)}.`)
  if (grantType === 'authorization_code') {
    const [code, redirectUri, verifier] = [given.get('code'), given.get('redirect_uri'), given.get('code_verifier')]
    if (code === null || verifier === null)
      return refuseOAuth('invalid_request', 'code and code_verifier must both be given.')
    if (!VERIFIER.test(verifier))
      return refuseOAuth('invalid_grant', 'code_verifier must have 43 to 128 unreserved characters.')
    return exchangeCode(services, { clientId: client.id, code, redirectUri, verifier })
  }
  if (grantType !== 'refresh_token')
    return refuseOAuth('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  const [refreshToken, asked] = [given.get('refresh_token'), given.get('scope')]
  if (refreshToken === null) return refuseOAuth('invalid_request', 'refresh_token is missing.')
  // A missing scope means all of the refresh token's (RFC 6749, section 6).
  const scope = readScope(asked, 'write')
  if (scope === null)
    return refuseOAuth('invalid_scope', 'scope must be a list of names with single spaces between them.')
  return refreshTokens(services, { clientId: client.id, refreshToken, scope })
}
