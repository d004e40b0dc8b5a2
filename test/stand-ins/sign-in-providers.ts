import { createHash, createHmac, generateKeyPairSync, randomBytes, sign as signWith } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../src/kernel/clock.ts'

/** Somebody who has an account at a provider. */
export interface ProviderPerson {
  /** The number that the provider knows them by. */
  subject: number
  name: string | null
  email: string
  verified: boolean
  /** The domain of the organisation at Google that they belong to; null for who has an account of their own. */
  hostedDomain: string | null
}

/** A reply in place of the right one. */
export type FaultyReply = { status?: number; headers?: Record<string, string>; body: string } | 'hang' | 'cut'

/**
 * Google and GitHub on this machine, as far as signing in goes, under one address. They check what they are asked as
 * strictly as those do.
 */
export interface SignInProviders {
  /** To be set in place of the hosts of both. */
  address: string
  /** The app that both know. */
  app: { id: string; secret: string }
  /** Who sits at the browser. */
  person: ProviderPerson
  /** How ID tokens are signed: rightly, by a key that Google does not have, with the app's secret, or not at all. */
  signature: 'right' | 'foreign' | 'HS256' | 'none'
  /** Changes the claims of the next ID tokens. */
  claims: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Addresses that GitHub tells; the person's primary one unless told otherwise. */
  emails: unknown[] | null
  /** Replies in place of the right ones, by path. */
  faults: Map<string, FaultyReply>
  /** What was asked, oldest first: method and path, with the headers. */
  requests: { asked: string; headers: IncomingMessage['headers'] }[]
  /**
   * Plays the browser of somebody who agrees, or does not: where it is sent back to. Throws when the provider shows an
   * error instead.
   */
  approve(url: string): Promise<URL>
  deny(url: string): Promise<URL>
  close(): Promise<void>
}

interface Code {
  challenge: string
  redirectUri: string
  nonce: string | null
}

export async function createSignInProviders(clock: Pick<Clock, 'now'>): Promise<SignInProviders> {
  const codes = new Map<string, Code>()
  const tokens = new Set<string>()
  const key = keyPair('key-1')
  const foreign = keyPair('key-1')

  const authorize: Handle = ({ url, params }) => {
    const redirectUri = params.get('redirect_uri') ?? ''
    const wrong = [
      params.get('client_id') !== app.id && 'client_id',
      params.get('response_type') !== 'code' && 'response_type',
      params.get('code_challenge_method') !== 'S256' && 'code_challenge_method',
      !/^[\w-]{43}$/.test(params.get('code_challenge') ?? '') && 'code_challenge',
      (params.get('state') ?? '').length < 20 && 'state',
      !redirectUri.endsWith(`/sign-in/${url.pathname.startsWith('/o/') ? 'google' : 'github'}/callback`) &&
        'redirect_uri',
      !SCOPES.has(params.get('scope') ?? '') && 'scope',
    ].filter(Boolean)
    if (wrong.length > 0) return html(400, `wrong: ${wrong.join(', ')}`)
    const back = new URL(redirectUri)
    back.searchParams.set('state', params.get('state')!)
    if (params.get('stand_in') === 'deny') back.searchParams.set('error', 'access_denied')
    else {
      const code = randomBytes(16).toString('hex')
      codes.set(code, { challenge: params.get('code_challenge')!, redirectUri, nonce: params.get('nonce') })
      back.searchParams.set('code', code)
    }
    return { status: 302, headers: { location: back.href }, body: '' }
  }

  /** The code's own, once, when all is right; null otherwise. */
  const redeem = (form: URLSearchParams): Code | null => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (
      code === undefined ||
      form.get('grant_type') !== 'authorization_code' ||
      form.get('redirect_uri') !== code.redirectUri
    )
      return null
    if (form.get('client_id') !== app.id || form.get('client_secret') !== app.secret) return null
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return challenge === code.challenge ? code : null
  }

  const accessToken = () => {
    const token = randomBytes(16).toString('hex')
    tokens.add(token)
    return token
  }

  const idToken = (nonce: string | null) => {
    const { person, signature } = providers
    const seconds = Math.floor(clock.now().getTime() / 1000)
    const claims = providers.claims({
      iss: 'https://accounts.google.com',
      aud: app.id,
      azp: app.id,
      sub: String(person.subject),
      email: person.email,
      email_verified: person.verified,
      ...(person.hostedDomain === null ? {} : { hd: person.hostedDomain }),
      ...(person.name === null ? {} : { name: person.name }),
      iat: seconds,
      exp: seconds + 3600,
      ...(nonce === null ? {} : { nonce }),
    })
    const alg = signature === 'none' || signature === 'HS256' ? signature : 'RS256'
    const unsigned = [{ alg, typ: 'JWT', kid: 'key-1' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    if (alg === 'none') return `${unsigned}.`
    if (alg === 'HS256') return `${unsigned}.${createHmac('sha256', app.secret).update(unsigned).digest('base64url')}`
    const { privateKey } = signature === 'foreign' ? foreign : key
    return `${unsigned}.${signWith('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`
  }

  const asUser = (headers: IncomingMessage['headers'], answer: () => unknown): Reply => {
    if (headers['user-agent'] === undefined) return json(403, { message: 'Request forbidden by administrative rules.' })
    return tokens.has((headers.authorization ?? '').replace(/^Bearer /, ''))
      ? json(200, answer())
      : json(401, { message: 'Bad credentials' })
  }

  const handles: Record<string, Handle> = {
    'GET /o/oauth2/v2/auth': authorize,
    'GET /login/oauth/authorize': authorize,
    'POST /token': ({ form }) => {
      const code = redeem(form)
      if (code === null) return json(400, { error: 'invalid_grant', error_description: 'Bad Request' })
      return json(200, {
        access_token: accessToken(),
        expires_in: 3599,
        scope: 'openid',
        token_type: 'Bearer',
        id_token: idToken(code.nonce),
      })
    },
    'GET /oauth2/v3/certs': () => json(200, { keys: [key.publicJwk] }),
    // GitHub tells of errors with a status of success.
    'POST /login/oauth/access_token': ({ form, headers }) => {
      if (headers.accept !== 'application/json') return html(200, 'access_token=as_a_form')
      const good = redeem(form) !== null
      return json(
        200,
        good
          ? { access_token: accessToken(), scope: 'read:user,user:email', token_type: 'bearer' }
          : { error: 'bad_verification_code' },
      )
    },
    'GET /user': ({ headers }) =>
      asUser(headers, () => ({
        id: providers.person.subject,
        login: 'a-login',
        name: providers.person.name,
        site_admin: false,
      })),
    'GET /user/emails': ({ headers }) =>
      asUser(headers, () => {
        const { email, verified } = providers.person
        return (
          providers.emails ?? [
            { email: 'old@person.example', primary: false, verified: true, visibility: null },
            { email, primary: true, verified, visibility: 'private' },
          ]
        )
      }),
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
    const asked = `${request.method} ${url.pathname}`
    providers.requests.push({ asked, headers: request.headers })
    const fault = providers.faults.get(url.pathname)
    if (fault === 'hang') return
    if (fault === 'cut') return void request.socket.destroy()
    send(
      response,
      fault ??
        handles[asked]?.({ url, params: url.searchParams, form, headers: request.headers }) ??
        html(404, 'Not Found'),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')

  const browse = async (url: string) => {
    const reply = await fetch(url, { redirect: 'manual' })
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`the provider showed a page: ${await reply.text()}`)
    return new URL(location)
  }
  const app = { id: 'earshot-app', secret: 'secret of the app' }
  const providers: SignInProviders = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    app,
    person: {
      subject: 4711,
      name: 'Ann Example',
      email: 'Ann@person.example',
      verified: true,
      hostedDomain: 'person.example',
    },
    signature: 'right',
    claims: (claims) => claims,
    emails: null,
    faults: new Map(),
    requests: [],
    approve: browse,
    deny: (url) => browse(`${url}&stand_in=deny`),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return providers
}

const SCOPES = new Set(['openid email profile', 'read:user user:email'])

interface Reply {
  status?: number
  headers?: Record<string, string>
  body: string
}

type Handle = (asked: {
  url: URL
  params: URLSearchParams
  form: URLSearchParams
  headers: IncomingMessage['headers']
}) => Reply

function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

function html(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/html' }, body }
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

function keyPair(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } }
}
