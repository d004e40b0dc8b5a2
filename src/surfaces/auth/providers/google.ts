import {
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderOptions } from './asking.ts'
import { type CodeFlow, createSignInProvider } from './code-flow.ts'
import type { SignInProvider } from './provider.ts'

/**
 * OpenID Connect with Google's discovery values inlined, so that sign-in does not depend on reading
 * https://accounts.google.com/.well-known/openid-configuration.
 */
export function createGoogle(options: ProviderOptions): SignInProvider {
  return createSignInProvider(google(), options)
}

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(320).optional(),
  email_verified: z.boolean().optional(),
  hd: z.string().min(1).optional(),
  name: z.string().optional(),
})

function google(): CodeFlow {
  const server = {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    id_token_signing_alg_values_supported: ['RS256'],
  }
  return {
    name: 'google',
    title: 'Google',
    server,
    scope: 'openid email profile',
    // People with several accounts choose, also on shared computers.
    parameters: { prompt: 'select_account' },
    async profileFrom({ client, response, nonce }, asking) {
      const tokens = await processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      // TLS already protects the token. The signature holds even if the path did not.
      await validateApplicationLevelSignature(server, response, asking)
      const { sub, email, email_verified: verified, hd, name } = Claims.parse(getValidatedIdTokenClaims(tokens))
      return {
        subject: sub,
        email: email ?? null,
        emailVerified: email !== undefined && verified === true && isTheirs(email, hd),
        name: name ?? '',
      }
    },
  }
}

/**
 * Only Google's own mailboxes and hosted domains. Other addresses were verified once and may have changed owner since.
 */
function isTheirs(email: string, hostedDomain: string | undefined): boolean {
  return hostedDomain !== undefined || /@(gmail|googlemail)\.com$/i.test(email)
}
