import { createHash } from 'node:crypto'
import { type Browser, createBrowser, type View } from '../../../test/browser.ts'
import { createPerson, type Person } from '../../../test/people.ts'
import { createWorld, type TestWorkspace, type World } from '../../../test/world.ts'
import { type RegisteredClient, registerClient } from '../../commands/oauth/register-client.ts'
import type { ClientMetadata } from '../../domain/oauth/client.ts'
import type { FetchedDocument } from '../../domain/oauth/client-document.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { createRestServer } from '../rest/server.ts'

export const VERIFIER = `${'a'.repeat(42)}~`
export const REDIRECT_URI = 'https://client.example/callback'

export interface TokenAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers freely; their shape is what it checks
  body: any
}

/** A service with an authorization server, a signed-in person, and client documents. */
export interface DanceFloor {
  world: World
  acme: TestWorkspace
  person: Person
  origin: string
  /** All other addresses cannot be read. */
  documents: Map<string, Partial<FetchedDocument>>
  read: string[]
  browser(who?: Pick<Person, 'sessionSecret'> | null): Browser
  client(metadata?: Partial<ClientMetadata>): Promise<RegisteredClient>
  post(
    path: string,
    fields: Record<string, string> | string[][],
    headers?: Record<string, string>,
  ): Promise<TokenAnswer>
  /** Runs the flow from the request to the code. */
  code(client: { id: string }, more?: Record<string, string | null>): Promise<string>
  tokens(client: { id: string }, more?: Record<string, string | null>): Promise<TokenAnswer>
  statusOf(accessToken: string): Promise<number>
  close(): Promise<void>
}

export async function createDanceFloor(): Promise<DanceFloor> {
  const world = await createWorld()
  const acme = await world.workspace('Acme')
  const person = await createPerson(world.services, acme.workspaceId, 'owner')
  const documents: DanceFloor['documents'] = new Map()
  const read: string[] = []
  const fetchDocument = async (address: string) => {
    read.push(address)
    const found = documents.get(address)
    return found === undefined
      ? null
      : { status: 200, contentType: 'application/json', cacheControl: null, ageSeconds: null, text: '', ...found }
  }
  const server = createRestServer({ services: world.services, log: silentLog, misfit: 'throw', fetchDocument })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })

  const browser: DanceFloor['browser'] = (who = person) => {
    const opened = createBrowser({ origin, services: world.services })
    if (who !== null) (opened.cookies as Map<string, string>).set('__Host-earshot_session', who.sessionSecret)
    return opened
  }
  const post: DanceFloor['post'] = async (path, fields, headers = {}) => {
    const reply = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields as [string, string][]).toString(),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const code: DanceFloor['code'] = async (client, more = {}) => {
    // Stays within the limit of answers per minute.
    await world.clock.advance(10 * SECOND_MS)
    const opened = browser()
    await opened.open(addressFor(client, more))
    const { leftFor } = await opened.press('Allow', { Workspace: 'Acme' })
    return new URL(leftFor!).searchParams.get('code')!
  }
  return {
    world,
    acme,
    person,
    origin,
    documents,
    read,
    browser,
    post,
    code,
    client: (metadata = {}) =>
      registerClient(world.services, {
        name: 'Robot',
        redirectUris: [REDIRECT_URI],
        homeUrl: null,
        authMethod: 'none',
        keys: null,
        ...metadata,
      }),
    tokens: async (client, more = {}) =>
      post(
        '/oauth/token',
        exchangeOf(
          client,
          await code(client, more),
          typeof more['redirect_uri'] === 'string' ? { redirect_uri: more['redirect_uri'] } : {},
        ),
      ),
    statusOf: async (accessToken) =>
      (await fetch(`${origin}/v1/whoami`, { headers: { authorization: `Bearer ${accessToken}` } })).status,
    async close() {
      await server.close()
      await world.close()
    },
  }
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Null omits a parameter. */
export function addressFor(client: { id: string }, more: Record<string, string | null> = {}): string {
  const parameters = {
    client_id: client.id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    state: 'st&te=1',
    scope: 'read write',
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    resource: 'https://earshot.test/mcp',
    ...more,
  }
  return `/oauth/authorize?${new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null))}`
}

export function exchangeOf(
  client: { id: string },
  code: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: client.id,
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    ...more,
  }
}

export function refreshOf(
  client: { id: string },
  refreshToken: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: client.id, refresh_token: refreshToken, ...more }
}

export function answerIn({ leftFor }: View): Record<string, string> {
  return Object.fromEntries(new URL(leftFor!).searchParams)
}
