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
 * Sign in with Google, by OpenID Connect. What it says of itself at
 * https://accounts.google.com/.well-known/openid-configuration is written down here, so that no sign-in depends on
 * reading that first.
 */
export function createGoogle(options: ProviderOptions): SignInProvider {
  return createSignInProvider(google(), options)
}

/** What we read of an ID token, beyond what makes it valid. */
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
    // Who has several accounts is asked which one, also on a computer that somebody else has used before.
    parameters: { prompt: 'select_account' },
    async profileFrom({ client, response, nonce }, asking) {
      const tokens = await processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      // The token came straight from Google over TLS; the signature holds even if something on the way did not.
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
 * Whether the mailbox is one of Google's own, or of an organisation that has its mail there. Of any other address
 * Google says that it was verified when somebody had shown it to be theirs once; it may have become somebody else's
 * since then.
 */
function isTheirs(email: string, hostedDomain: string | undefined): boolean {
  return hostedDomain !== undefined || /@(gmail|googlemail)\.com$/i.test(email)
}
