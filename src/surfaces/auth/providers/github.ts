import { processAuthorizationCodeResponse, protectedResourceRequest } from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderOptions, ProviderRequest } from './asking.ts'
import { type CodeFlow, createSignInProvider } from './code-flow.ts'
import type { SignInProvider } from './provider.ts'

/** OAuth app. The access token is used once to read the profile and then dropped. */
export function createGitHub(options: ProviderOptions): SignInProvider {
  return createSignInProvider(github(), options)
}

const API = 'https://api.github.com'

const User = z.object({ id: z.int().positive(), login: z.string().min(1), name: z.string().nullish() })
const Emails = z.array(z.object({ email: z.string().max(320), primary: z.boolean(), verified: z.boolean() }))

function github(): CodeFlow {
  const server = {
    issuer: 'https://github.com/login/oauth',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
  }
  return {
    name: 'github',
    title: 'GitHub',
    server,
    scope: 'read:user user:email',
    async profileFrom({ client, response }, asking) {
      const { access_token: token } = await processAuthorizationCodeResponse(server, client, response)
      const [user, emails] = await Promise.all([
        read('/user', User, token, asking),
        read('/user/emails?per_page=100', Emails, token, asking),
      ])
      // Logins can be reassigned, ids never. Addresses other than the primary one may be abandoned.
      const primary = emails.find((email) => email.primary)
      return {
        subject: String(user.id),
        email: primary?.email ?? null,
        emailVerified: primary?.verified ?? false,
        name: user.name ?? user.login,
      }
    },
  }
}

async function read<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
  token: string,
  asking: ProviderRequest,
): Promise<z.infer<Shape>> {
  const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' })
  const response = await protectedResourceRequest(token, 'GET', new URL(path, API), headers, null, asking)
  if (response.status !== 200) throw new Error(`the provider answered ${response.status} to ${path}`)
  return shape.parse(await response.json())
}
