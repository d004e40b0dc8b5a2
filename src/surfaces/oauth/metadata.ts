import type { FastifyInstance } from 'fastify'
import { AUTH_METHODS } from '../../domain/oauth/client.ts'
import { KEY_ALGORITHMS } from '../../domain/oauth/client-keys.ts'
import { SCOPE_NAMES } from '../../domain/oauth/scope.ts'
import { toolServerUrl } from '../../domain/workspace/workspace.ts'
import { type OAuthContext, PATHS } from './context.ts'

/** RFC 9728 and RFC 8414. The first is also served without the tool server's path, for older clients. */
export function serveMetadata(server: FastifyInstance, { services: { publicUrl }, fetchDocument }: OAuthContext): void {
  const resource = resourceMetadata(publicUrl)
  const issuer = serverMetadata(publicUrl, fetchDocument !== null)
  const documents = {
    '/.well-known/oauth-protected-resource': resource,
    '/.well-known/oauth-protected-resource/mcp': resource,
    '/.well-known/oauth-authorization-server': issuer,
  }
  for (const [url, document] of Object.entries(documents)) {
    server.get(url, async (_request, reply) =>
      reply.header('Cache-Control', 'public, max-age=300').type('application/json; charset=utf-8').send(document),
    )
  }
}

function resourceMetadata(publicUrl: string) {
  return {
    resource: toolServerUrl(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: SCOPE_NAMES,
    bearer_methods_supported: ['header'],
    resource_name: 'Earshot',
    resource_documentation: `${publicUrl}/docs/`,
  }
}

function serverMetadata(publicUrl: string, readsDocuments: boolean) {
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + PATHS.authorize,
    token_endpoint: publicUrl + PATHS.token,
    registration_endpoint: publicUrl + PATHS.register,
    revocation_endpoint: publicUrl + PATHS.revoke,
    scopes_supported: SCOPE_NAMES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: KEY_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: KEY_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: readsDocuments,
    service_documentation: `${publicUrl}/docs/`,
  }
}
