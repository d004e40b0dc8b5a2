import type { FastifyInstance } from 'fastify'
import { registerClient } from '../../commands/oauth/register-client.ts'
import { AUTH_METHODS, readClientMetadata } from '../../domain/oauth/client.ts'
import type { ClientKeys } from '../../domain/oauth/client-keys.ts'
import { isOAuthRefusal } from '../../domain/oauth/refusal.ts'
import { scopeText } from '../../domain/oauth/scope.ts'
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import { networkOf } from '../../kernel/ip-range.ts'
import { sendJson, sendOAuthRefusal } from './answers.ts'
import { type OAuthContext, PATHS } from './context.ts'
import { tooMany } from './network-limit.ts'

/** Registrations per network and hour. */
export const REGISTRATIONS_PER_HOUR = 20

/** RFC 7591: the default method has a secret. */
const REGISTERED = { possible: AUTH_METHODS, absent: 'client_secret_basic' } as const

export function serveRegister(server: FastifyInstance, { services, limits }: OAuthContext): void {
  server.post(PATHS.register, async (request, reply) => {
    const key = `register address ${networkOf(request.ip)}`
    const allowance = await limits.exact.take(key, REGISTRATIONS_PER_HOUR, HOUR_MS)
    if (!allowance.granted)
      return sendOAuthRefusal(
        request,
        reply,
        tooMany(reply, allowance, 'Too many clients have been registered from this address.'),
      )
    const metadata = readClientMetadata(request.body, REGISTERED)
    if (isOAuthRefusal(metadata)) return sendOAuthRefusal(request, reply, metadata)
    const { id, name, redirectUris, homeUrl, authMethod, keys, secret, registeredAt } = await registerClient(
      services,
      metadata,
    )
    const answer = {
      client_id: id,
      client_id_issued_at: Math.floor(registeredAt.getTime() / SECOND_MS),
      // 0 says that the secret does not expire.
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: name,
      ...(homeUrl === null ? {} : { client_uri: homeUrl }),
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod,
      ...keysAnswer(keys),
      scope: scopeText('write'),
    }
    return sendJson(reply, answer, 201)
  })
}

function keysAnswer(keys: ClientKeys | null): object {
  if (keys === null) return {}
  return 'address' in keys
    ? { jwks_uri: keys.address }
    : {
        jwks: {
          keys: keys.keys.map(({ kid, algorithm, jwk }) => ({
            ...jwk,
            alg: algorithm,
            ...(kid === null ? {} : { kid }),
          })),
        },
      }
}
