import * as newer from '@modelcontextprotocol/client'
import {
  type OAuthClientProvider as OlderProvider,
  UnauthorizedError as OlderUnauthorized,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/kernel/clock.ts'
import { useResource } from '../use-world.ts'
import { createOAuthWorld } from './oauth-world.ts'

const ground = useResource(createOAuthWorld)

const TOOL_SERVER = new URL('https://earshot.test/mcp')
const REDIRECT_URI = 'http://localhost:33419/oauth/callback'

/** What the libraries ask of a program that uses them: to keep what they give it, and to send the person somewhere. */
function createProvider(clientMetadataUrl?: string) {
  const kept: {
    client?: unknown
    tokens?: Tokens | undefined
    verifier?: string
    sentTo?: URL
    discovery?: unknown
    sendings: number
  } = { sendings: 0 }
  const provider = {
    redirectUrl: REDIRECT_URI,
    clientMetadata: {
      client_name: 'A program',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url: URL) => {
      kept.sentTo = url
      kept.sendings += 1
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (discovery: unknown) => {
      kept.discovery = discovery
    },
    discoveryState: () => kept.discovery,
    invalidateCredentials: (scope: string) => {
      if (scope === 'all' || scope === 'client') kept.client = undefined
      if (scope === 'all' || scope === 'tokens') kept.tokens = undefined
    },
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
  }
  return { kept, provider }
}

interface Tokens {
  access_token: string
  refresh_token?: string
  token_type: string
}

type Provider = ReturnType<typeof createProvider>['provider']

/** What the two libraries have in common, as far as it is used here. */
interface Connection {
  list(): Promise<string[]>
  call(name: string, args?: Record<string, unknown>): Promise<unknown>
  finish(callback: URLSearchParams): Promise<void>
  close(): Promise<void>
}

const libraries: [string, (provider: Provider) => Promise<Connection>][] = [
  [
    '@modelcontextprotocol/sdk',
    async (provider) => {
      const client = new OlderClient({ name: 'test', version: '1' })
      const transport = new OlderTransport(TOOL_SERVER, {
        authProvider: provider as unknown as OlderProvider,
        fetch: ground.fetch,
      })
      // The older package's types do not follow exactOptionalPropertyTypes.
      await client.connect(transport as Parameters<typeof client.connect>[0])
      return {
        list: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name, args = {}) => (await client.callTool({ name, arguments: args })).structuredContent,
        finish: (callback) => transport.finishAuth(callback.get('code')!),
        close: () => client.close(),
      }
    },
  ],
  [
    '@modelcontextprotocol/client',
    async (provider) => {
      const client = new newer.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const transport = new newer.StreamableHTTPClientTransport(TOOL_SERVER, {
        authProvider: provider as unknown as newer.OAuthClientProvider,
        fetch: ground.fetch,
      })
      await client.connect(transport)
      return {
        list: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name, args = {}) => (await client.callTool({ name, arguments: args })).structuredContent,
        finish: (callback) => transport.finishAuth(callback),
        close: () => client.close(),
      }
    },
  ],
]

const isUnauthorized = (error: unknown) =>
  error instanceof OlderUnauthorized || error instanceof newer.UnauthorizedError

describe.each(libraries)('%s', (name, connect) => {
  test('goes from the address alone to a call, and renews its token by itself', async () => {
    const { kept, provider } = createProvider()
    const connection = await connect(provider)
    expect((await connection.list()).length).toBeGreaterThan(20)
    expect(kept.sendings).toBe(0)

    await expect(connection.call('get_identity')).rejects.toSatisfy(isUnauthorized)
    expect(kept.sentTo!.searchParams.get('resource')).toBe(TOOL_SERVER.href)
    await connection.finish((await ground.allow(kept.sentTo!)).searchParams)
    expect(await connection.call('get_identity')).toMatchObject({
      workspace: { name: 'Acme' },
      auth: { kind: 'oauth', scope: 'read' },
    })

    const before = kept.tokens!
    ground.world.clock.advance(HOUR_MS + 1)
    expect(await connection.call('get_identity')).toMatchObject({ workspace: { name: 'Acme' } })
    expect(kept.tokens!.access_token).not.toBe(before.access_token)
    expect(kept.tokens!.refresh_token).not.toBe(before.refresh_token)
    expect(kept.sendings).toBe(1)
    await connection.close()
  })

  test('asks for what a call that writes needs', async () => {
    const { kept, provider } = createProvider()
    const connection = await connect(provider)
    await expect(connection.call('create_group', { name: 'x' })).rejects.toSatisfy(isUnauthorized)
    expect(kept.sentTo!.searchParams.get('scope')).toBe('read write')
    await connection.finish((await ground.allow(kept.sentTo!)).searchParams)
    expect(await connection.call('create_group', { name: `Made by ${name}` })).toMatchObject({
      name: `Made by ${name}`,
    })
    await connection.close()
  })

  test('is known by the address of its document without being registered', async () => {
    const document = `https://client.example/${name.slice(name.indexOf('/') + 1)}.json`
    ground.publish(document, {
      client_id: document,
      client_name: 'A program',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
    })
    const { kept, provider } = createProvider(document)
    const connection = await connect(provider)
    await expect(connection.call('get_identity')).rejects.toSatisfy(isUnauthorized)
    expect(kept.sentTo!.searchParams.get('client_id')).toBe(document)
    await connection.finish((await ground.allow(kept.sentTo!)).searchParams)
    expect(await connection.call('get_identity')).toMatchObject({ workspace: { name: 'Acme' } })
    await connection.close()
  })

  test('is sent to the person again when what it was allowed was taken back', async () => {
    const { kept, provider } = createProvider()
    const connection = await connect(provider)
    await expect(connection.call('get_identity')).rejects.toSatisfy(isUnauthorized)
    await connection.finish((await ground.allow(kept.sentTo!)).searchParams)
    await ground.takeBackGrants()
    await expect(connection.call('get_identity')).rejects.toSatisfy(isUnauthorized)
    expect(kept.sendings).toBe(2)
    await connection.close()
  })
})
