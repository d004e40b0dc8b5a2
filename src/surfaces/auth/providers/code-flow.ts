import {
  AuthorizationResponseError,
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  ResponseBodyError,
  validateAuthResponse,
} from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderProfile } from '../../../commands/accounts/sign-in-by-provider.ts'
import { SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../../kernel/text.ts'
import { askWithin, type ProviderOptions, type ProviderRequest, placed } from './asking.ts'
import type { SignInProvider } from './provider.ts'

export interface CodeFlow {
  name: SignInProvider['name']
  title: SignInProvider['title']
  server: AuthorizationServer & { authorization_endpoint: string }
  scope: string
  /** Extra authorization parameters. */
  parameters?: Readonly<Record<string, string>>
  /** `nonce` was sent with the browser. Throws when the response is invalid. */
  profileFrom(granted: GrantedProfile, asking: ProviderRequest): Promise<Omit<ProviderProfile, 'provider'>>
}

/** The unchecked token response. */
export interface GrantedProfile {
  client: Client
  response: Response
  nonce: string
}

/** Kept for a browser during the redirect. */
const Memory = z.strictObject({ state: z.string().min(20), nonce: z.string().min(20), verifier: z.string().min(43) })

/**
 * Authorization code with PKCE. State binds the answer to the browser, the verifier binds the code to us, and the nonce
 * binds the identity to this sign-in.
 */
export function createSignInProvider(flow: CodeFlow, options: ProviderOptions): SignInProvider {
  const { name, title, server } = flow
  const { app, clock, log } = options
  return {
    name,
    title,
    async start(redirectUri) {
      const memory: z.infer<typeof Memory> = {
        state: generateRandomState(),
        nonce: generateRandomNonce(),
        verifier: generateRandomCodeVerifier(),
      }
      const url = new URL(placed(server.authorization_endpoint, options.address))
      url.search = new URLSearchParams({
        ...flow.parameters,
        client_id: app.id,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: flow.scope,
        state: memory.state,
        nonce: memory.nonce,
        code_challenge: await calculatePKCECodeChallenge(memory.verifier),
        code_challenge_method: 'S256',
      }).toString()
      return { url: url.href, memory: JSON.stringify(memory) }
    },
    async finish(callback, memory, redirectUri) {
      const { state, nonce, verifier } = Memory.parse(JSON.parse(memory))
      // The library reads the system clock. The skew corrects it to ours.
      const skewSeconds = Math.round((clock.now().getTime() - systemClock.now().getTime()) / SECOND_MS)
      const client: Client = { client_id: app.id, [clockSkew]: skewSeconds, [clockTolerance]: TOLERANCE_SECONDS }
      try {
        return await askWithin(options, async (asking) => {
          const answer = validateAuthResponse(server, client, callback, state)
          const response = await authorizationCodeGrantRequest(
            server,
            client,
            ClientSecretPost(app.secret),
            answer,
            redirectUri,
            verifier,
            asking,
          )
          const { name: personName, ...profile } = await flow.profileFrom({ client, response, nonce }, asking)
          return { provider: name, ...profile, name: excerpt(cleanLine(personName), NAME_CHARACTERS_MAX) }
        })
      } catch (error) {
        // Nobody is signed in after any error. Errors may hold tokens, so only the reason is logged.
        log[isTheirNo(error) ? 'info' : 'warn'](
          { event: 'sign_in.provider_failed', provider: name, reason: reasonOf(error) },
          'Sign-in through a provider failed',
        )
        return 'refused'
      }
    },
  }
}

/** Seconds of clock difference. */
const TOLERANCE_SECONDS = 30
const NAME_CHARACTERS_MAX = 100

function isTheirNo(error: unknown): boolean {
  return error instanceof AuthorizationResponseError && error.error === 'access_denied'
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return `the response has an unexpected form: ${error.issues[0]?.path.join('.') || 'as a whole'}`
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `the provider answered ${excerpt(cleanLine(error.error), 100)}`
  // The error message would quote the answer.
  if (error instanceof SyntaxError) return 'the answer is no JSON'
  return error instanceof Error ? cleanLine(error.message) : 'unknown'
}
