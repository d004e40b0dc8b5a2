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
import type { Profile } from '../../../commands/accounts/sign-in-by-provider.ts'
import { SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { cleanLine, excerpt } from '../../../kernel/text.ts'
import { type Asking, askWithin, type ProviderOptions, placed } from './asking.ts'
import type { SignInProvider } from './provider.ts'

/** A provider as far as it differs from others. */
export interface CodeFlow {
  name: SignInProvider['name']
  title: SignInProvider['title']
  /** Where it is asked, and by what its answers are judged. */
  server: AuthorizationServer & { authorization_endpoint: string }
  scope: string
  /** More that it is to know when a browser is sent there. */
  parameters?: Readonly<Record<string, string>>
  /**
   * Who the person is, from the answer to the code; `nonce` was sent along with the browser. Throws when the answer
   * does not hold.
   */
  profileFrom(granted: Granted, asking: Asking): Promise<Omit<Profile, 'provider'>>
}

/** What came for the code, not yet judged. */
export interface Granted {
  client: Client
  response: Response
  nonce: string
}

/** What is remembered for a browser while it is away. */
const Memory = z.strictObject({ state: z.string().min(20), nonce: z.string().min(20), verifier: z.string().min(43) })

/**
 * Signing in by an authorization code with PKCE. The state ties the answer to the browser, the verifier ties the code
 * to us, and the nonce ties what is said of the person to this one sign-in.
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
      // The library reads the time of the machine by itself; the difference makes it ours.
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
        // Whatever it was, nobody is signed in. The error itself may hold tokens, so only what it says of itself is
        // told.
        log[isTheirNo(error) ? 'info' : 'warn'](
          { event: 'sign_in.provider_failed', provider: name, reason: reasonOf(error) },
          'Sign-in through a provider failed',
        )
        return 'refused'
      }
    },
  }
}

/** How far the clocks of providers may be from ours. */
const TOLERANCE_SECONDS = 30
const NAME_CHARACTERS_MAX = 100

/** The person did not want to after all. */
function isTheirNo(error: unknown): boolean {
  return error instanceof AuthorizationResponseError && error.error === 'access_denied'
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return `the answer has another form than expected: ${error.issues[0]?.path.join('.') || 'as a whole'}`
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `the provider answered ${excerpt(cleanLine(error.error), 100)}`
  // What it says would repeat the beginning of the answer.
  if (error instanceof SyntaxError) return 'the answer is no JSON'
  return error instanceof Error ? cleanLine(error.message) : 'unknown'
}
