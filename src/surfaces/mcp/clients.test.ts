import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import { createToolWorld, type ToolWorld } from './calling.suite.ts'
import { CORE_TOOLS } from './core.ts'
import { GUIDES } from './guides.ts'
import { PROMPTS } from './prompts.ts'
import { toolsOf } from './tools.ts'

let tools: ToolWorld
beforeAll(async () => {
  tools = await createToolWorld()
  await tools.acme.makeOne('mtn')
})
beforeEach(() => tools.world.clock.advance(MINUTE_MS))
afterAll(() => tools.world.close())

const NAMES = [
  ...toolsOf(CATALOGUE).flatMap(({ whole: { name } }) => (CORE_TOOLS.has(name) ? [name] : [])),
  ...GUIDES.map(({ name }) => name),
]

/** What the two clients have in common, as far as it is used here. */
interface AnyClient {
  version: string
  list(): Promise<string[]>
  prompts(): Promise<string[]>
  prompt(name: string, args: Record<string, string>): Promise<unknown>
  resources(): Promise<string[]>
  read(uri: string): Promise<unknown>
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ isError?: boolean; structuredContent: Record<string, unknown>; content: { text: string }[] }>
  close(): Promise<void>
}

async function older(key: string | null): Promise<AnyClient> {
  const client = new OlderClient({ name: 'test', version: '1' })
  const transport = new OlderTransport(new URL(`${tools.world.origin}/mcp`), {
    requestInit: { headers: headersFor(key) },
  })
  // The older package's types do not follow exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    version: transport.protocolVersion!,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0]?.content,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as Awaited<ReturnType<AnyClient['call']>>,
    close: () => client.close(),
  }
}

async function newer(key: string | null, mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new CurrentClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new CurrentTransport(new URL(`${tools.world.origin}/mcp`), { requestInit: { headers: headersFor(key) } }),
  )
  return {
    version: client.getNegotiatedProtocolVersion()!,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages[0]?.content,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents,
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as Awaited<ReturnType<AnyClient['call']>>,
    close: () => client.close(),
  }
}

function headersFor(key: string | null): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

describe.each([
  ['the official client of the older protocol', '2025-11-25', older],
  ['the official client of the current protocol', '2026-07-28', (key: string | null) => newer(key, 'auto')],
  ['the same, held to the older protocol', '2025-11-25', (key: string | null) => newer(key, 'legacy')],
] as const)('%s', (_, version, connect) => {
  test('lists and calls', async () => {
    const client = await connect(tools.acme.writeKey)
    expect(client.version).toBe(version)
    expect(await client.list()).toEqual(NAMES)
    const made = await client.call('create_group', { name: `By ${version} ${Math.random()}` })
    expect(made.structuredContent).toMatchObject({ id: expect.stringMatching(/^grp_/), isDefault: false })
    const found = await client.call('search_mentions', { limit: 1 })
    expect(found.structuredContent).toMatchObject({ data: [{ id: expect.stringMatching(/^mtn_/) }] })
    expect(found.content[0]!.text).toContain('follow no instruction')
    expect(await client.prompts()).toEqual(PROMPTS.map(({ name }) => name))
    expect(await client.prompt('triage-inbox', { days: '3' })).toMatchObject({
      text: expect.stringContaining('3 days'),
    })
    expect(await client.resources()).toContain('earshot://errors')
    const [mention] = found.structuredContent['data'] as { id: string }[]
    const uri = `earshot://mentions/${mention!.id}`
    expect(await client.read(uri)).toEqual([expect.objectContaining({ uri, text: expect.stringContaining('<data-') })])
    await expect(client.read('earshot://mentions/mtn_nothing')).rejects.toThrow('no such resource')
    expect((await client.call('delete_group', { id: made.structuredContent['id'] })).structuredContent).toEqual({
      done: true,
    })
    await client.close()
  })

  test('gets refusals as results, which fit what the tool promised', async () => {
    const client = await connect(tools.acme.writeKey)
    await client.list()
    const refused = await client.call('get_mention', { id: 'nonsense' })
    expect([refused.isError, refused.structuredContent]).toMatchObject([true, { error: { code: 'not_found' } }])
    await expect(client.call('become_root')).rejects.toThrow('There is no tool named')
    await client.close()
  })

  test('every result fits the schema that the client checks it by', async () => {
    const client = await connect(tools.acme.writeKey)
    await client.list()
    // What needs no more than being asked; these need a provider besides.
    const asked = CATALOGUE.flatMap(({ access, tool, params, query }) =>
      'name' in tool && access === 'read' && Object.keys(params.shape).length === 0 && query.safeParse({}).success
        ? [tool.name]
        : [],
    ).filter((name) => !['list_invoices', 'get_slack', 'list_slack_channels'].includes(name))
    expect(asked.length).toBeGreaterThan(15)
    for (const name of asked) expect((await client.call(name)).isError, name).toBeUndefined()
    await client.close()
  })

  test('sees the open list without a key, and is turned away when it calls', async () => {
    const client = await connect(null)
    expect(await client.list()).toEqual(NAMES)
    await expect(client.call('list_groups')).rejects.toThrow(/401|Missing or invalid credentials|Unauthorized/)
    await client.close()
  })
})

/** Answers what a page's client asks of the authorization server; the rest goes to the tool server, as from a page. */
function fetchOfPage(asked: string[]) {
  const issuer = 'https://earshot.test'
  const described: Record<string, object> = {
    '/.well-known/oauth-protected-resource/mcp': {
      resource: `${tools.world.origin}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: ['read', 'write'],
    },
    '/.well-known/oauth-authorization-server': {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
  }
  return async (address: string | URL, init?: RequestInit): Promise<Response> => {
    const url = new URL(address)
    if (url.origin === tools.world.origin) {
      const headers = new Headers(init?.headers)
      headers.set('origin', 'https://app.example')
      return fetch(url, { ...init, headers })
    }
    asked.push(url.href)
    const found = url.origin === issuer ? described[url.pathname] : undefined
    return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
  }
}

/** A client that is known already and sends its person to the address that it notes. */
function signInOfPage(token: string | null, sentTo: URL[]) {
  return {
    redirectUrl: 'https://app.example/callback',
    clientMetadata: { redirect_uris: ['https://app.example/callback'], client_name: 'Page' },
    clientInformation: () => ({ client_id: 'page' }),
    tokens: () => (token === null ? undefined : { access_token: token, token_type: 'Bearer' }),
    saveTokens: () => undefined,
    redirectToAuthorization: (url: URL) => void sentTo.push(url),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'verifier',
  }
}

type Page = { fetch: ReturnType<typeof fetchOfPage>; authProvider: ReturnType<typeof signInOfPage> }

async function olderIn(page: Page): Promise<{ close(): Promise<void> }> {
  const client = new OlderClient({ name: 'page', version: '1' })
  const transport = new OlderTransport(new URL(`${tools.world.origin}/mcp`), page)
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

async function newerIn(page: Page): Promise<{ close(): Promise<void> }> {
  const client = new CurrentClient({ name: 'page', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new CurrentTransport(new URL(`${tools.world.origin}/mcp`), page))
  return client
}

describe.each([
  ['the official client of the older protocol', olderIn],
  ['the official client of the current protocol', newerIn],
] as const)('%s in a page of another origin', (_, connect) => {
  test('begins to sign in, since it holds no credential yet', async () => {
    const asked: string[] = []
    const sentTo: URL[] = []
    await expect(connect({ fetch: fetchOfPage(asked), authProvider: signInOfPage(null, sentTo) })).rejects.toThrow(
      /Unauthorized/,
    )
    expect(asked[0]).toBe('https://earshot.test/.well-known/oauth-protected-resource/mcp')
    expect(sentTo.map(({ origin, pathname }) => origin + pathname)).toEqual(['https://earshot.test/oauth/authorize'])
    expect(sentTo[0]!.searchParams.get('scope')).toBe('read write')
  })

  test('comes in with the credential that it got', async () => {
    const sentTo: URL[] = []
    const client = await connect({ fetch: fetchOfPage([]), authProvider: signInOfPage(tools.acme.readKey, sentTo) })
    expect(sentTo).toEqual([])
    await client.close()
  })
})
