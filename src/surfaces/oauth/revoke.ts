import type { FastifyInstance } from 'fastify'
import { revokeToken } from '../../commands/oauth/revoke-token.ts'
import { isOAuthRefusal, type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'
import { sendJson, sendOAuthRefusal } from './answers.ts'
import { authenticateClient } from './authenticate-client.ts'
import { type OAuthContext, PATHS } from './context.ts'
import { countCredentials } from './network-limit.ts'
import { parametersOf } from './parameters.ts'

/** RFC 7009. The token shows its kind, so the hint is not needed. */
export function serveRevoke(server: FastifyInstance, context: OAuthContext): void {
  server.post(PATHS.revoke, async (request, reply) => {
    const given = parametersOf(request.body)
    const refusal = isOAuthRefusal(given)
      ? given
      : (countCredentials(context, request, reply) ?? (await revoke(context, request.headers.authorization, given)))
    return refusal === undefined ? sendJson(reply, {}) : sendOAuthRefusal(request, reply, refusal)
  })
}

async function revoke(
  context: OAuthContext,
  authorization: string | undefined,
  given: URLSearchParams,
): Promise<undefined | OAuthRefusal> {
  const client = await authenticateClient(context, authorization, given)
  if (isOAuthRefusal(client)) return client
  const token = given.get('token')
  return token === null
    ? refuseOAuth('invalid_request', 'token is missing.')
    : revokeToken(context.services, client.id, token)
}
