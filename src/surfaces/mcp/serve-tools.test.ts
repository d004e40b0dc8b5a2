import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPerson } from '../../../test/people.ts'
import { PUBLIC_URL } from '../../../test/world.ts'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { CATALOGUE } from '../../operations/catalogue.ts'
import { callOf, createToolWorld, current, type Message, OLDER, type ToolWorld } from './calling.suite.ts'
import { CORE_TOOLS } from './core.ts'
import { GUIDES } from './guides.ts'
import { toolsOf } from './tools.ts'

let tools: ToolWorld
beforeAll(async () => {
  tools = await createToolWorld()
})
beforeEach(() => tools.world.clock.advance(MINUTE_MS))
afterAll(() => tools.world.close())

const ALL = toolsOf(CATALOGUE)
const METADATA = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`
const LIST: Message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const HELLO: Message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

function namesIn(body: { result: { tools: { name: string }[] } }): string[] {
  return body.result.tools.map(({ name }) => name)
}

const SHORT = [...ALL.filter(({ whole }) => CORE_TOOLS.has(whole.name)).map(({ listed }) => listed.short), ...GUIDES]
const EVERY = { path: '/mcp?tools=all' }

describe('the list of tools', () => {
  test('is open and short, and leads to the others', async () => {
    const { status, body, headers } = await tools.send(LIST, { key: null })
    expect(status).toBe(200)
    expect(body.result.tools).toEqual(SHORT)
    expect(headers.get('x-ratelimit-limit')).toBeNull()
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(40_000)
  })

  test('is whole and in the order of the catalogue when it is asked for', async () => {
    const { body } = await tools.send(LIST, { ...EVERY, key: null })
    expect(body.result.tools).toEqual(ALL.map(({ listed }) => listed.all))
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(150_000)
    expect((await tools.send(LIST, { path: '/mcp?tools=core', key: null })).body.result.tools).toEqual(SHORT)
    expect((await tools.send(LIST, { path: '/mcp?tools=few' })).body.error).toMatchObject({
      code: 'validation_error',
      message: 'tools: must be all, or absent for the short list',
    })
  })

  test('is the same in the current protocol, which may keep it, but not for others', async () => {
    const { message, headers } = current(LIST)
    const { body } = await tools.send(message, { key: null, headers })
    expect(body.result.tools).toEqual(SHORT)
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' })
  })

  test('holds everything for a key that may write, and read tools alone for one that may not', async () => {
    expect(namesIn((await tools.send(LIST, EVERY)).body)).toEqual(ALL.map(({ whole }) => whole.name))
    const key = tools.acme.readKey
    const seen = namesIn((await tools.send(LIST, { ...EVERY, key })).body)
    expect(seen).toEqual(ALL.filter(({ operation }) => operation.method === 'GET').map(({ whole }) => whole.name))
    const short = namesIn((await tools.send(LIST, { key })).body)
    expect(short).toContain('call_operation')
    expect(short).not.toContain('call_write_operation')
    const { message, headers } = current(LIST)
    expect((await tools.send(message, { headers, key })).body.result).toMatchObject({ cacheScope: 'private' })
  })

  test('counts against the limit of the workspace and says what is left, with a key', async () => {
    const { headers } = await tools.send(LIST)
    expect(headers.get('x-ratelimit-limit')).toBe('600')
    expect(headers.get('x-ratelimit-remaining')).toBe('599')
  })
})

describe('credentials', () => {
  test.each([
    ['a read tool', 'search_mentions', 'read'],
    ['a write tool', 'delete_keyword', 'read write'],
    ['no tool at all', 'become_root', 'read'],
  ])('a call of %s without one is sent to the sign-in', async (_, name, scope) => {
    for (const { message, headers } of [{ message: callOf(name), headers: OLDER }, current(callOf(name))]) {
      const answer = await tools.send(message, { key: null, headers })
      expect([answer.status, answer.body]).toEqual([401, { error: 'Missing or invalid credentials' }])
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer ${METADATA}, scope="${scope}"`)
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    }
  })

  test.each([
    ['a call', callOf('search_mentions')],
    ['the open list', LIST],
    ['a greeting', HELLO],
  ])('a stale one is refused with %s', async (_, message) => {
    const answer = await tools.send(message, { key: `ref_${randomBytes(32).toString('base64url')}` })
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key or access token' }])
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer ${METADATA}, error="invalid_token", error_description="Invalid API key or access token", scope="read"`,
    )
  })

  test.each(ALL.filter(({ operation }) => operation.access === 'write').map(({ whole }) => whole.name))(
    'a read key may not call %s',
    async (name) => {
      const { status, body, headers } = await tools.send(callOf(name), { key: tools.acme.readKey })
      expect(status).toBe(200)
      expect(body.result.isError).toBe(true)
      expect(body.result.structuredContent).toEqual({
        error: {
          code: 'read_only_key',
          message: 'This credential is read-only. Use one with write scope.',
          requestId: headers.get('x-request-id'),
        },
      })
    },
  )
})

test('a session in a cookie is no credential here, wherever the request comes from', async () => {
  const { sessionSecret } = await createPerson(tools.world.services, tools.acme.workspaceId, 'owner')
  const cookie = `earshot_session=${sessionSecret}; __Host-earshot_session=${sessionSecret}`
  for (const origin of [{}, { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }]) {
    const { status, body } = await tools.send(callOf('get_identity'), {
      key: null,
      headers: { ...OLDER, ...origin, cookie },
    })
    expect([status, body]).toEqual([401, { error: 'Missing or invalid credentials' }])
    expect(
      (await tools.send(LIST, { key: tools.acme.readKey, headers: { ...OLDER, ...origin, cookie } })).body.result.tools
        .length,
    ).toBeLessThan(SHORT.length)
  }
})

describe('refusals of a call are results', () => {
  test.each([
    ['a missing id', 'get_mention', {}, 'validation_error', 'id: is required'],
    ['an id that is no text', 'get_mention', { id: 5 }, 'validation_error', 'id: must be text'],
    ['an unreadable id', 'get_mention', { id: 'nonsense' }, 'not_found', 'This workspace has no such resource.'],
    [
      'an unknown field',
      'search_mentions',
      { colour: 'red' },
      'validation_error',
      'colour: is not a parameter of this operation',
    ],
    [
      'a field of a body that is unknown',
      'create_group',
      { name: 'x', colour: 'red' },
      'validation_error',
      'colour: is not a field of this operation',
    ],
    [
      'a field that is wrong',
      'create_keyword',
      { term: 'x' },
      'validation_error',
      'term: must have at least 2 characters',
    ],
    [
      'a field of another form',
      'create_channel',
      { kind: 'telegram', url: 'https://a.example/' },
      'validation_error',
      'url: is not a field of this operation',
    ],
  ])('%s', async (_, name, args, code, message) => {
    const { status, body, headers } = await tools.send(callOf(name, args))
    expect(status).toBe(200)
    expect(body.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: `${code}: ${message}` }],
      structuredContent: {
        error: { code, message, requestId: headers.get('x-request-id'), ...detailsOf(code, message) },
      },
    })
  })

  test('every field that is wrong is named, and what exists is, for programs and for models', async () => {
    const wrong = (await tools.send(callOf('create_keyword', { kind: 'brands', colour: 'red' }))).body.result
    expect(wrong.structuredContent.error.details.map(({ field }: { field: string }) => field)).toEqual([
      'term',
      'kind',
      'colour',
    ])
    expect(wrong.content[0].text).toContain('; kind: must be one of')
    const { id } = (await tools.send(callOf('create_group', { name: 'There' }))).body.result.structuredContent
    const twice = (await tools.send(callOf('create_group', { name: 'There' }))).body.result
    expect([twice.structuredContent.error.existingId, twice.content[0].text]).toEqual([
      id,
      `duplicate_group: A group with this name exists. (${id})`,
    ])
  })

  test('names by which a prototype could be reached are fields like others', async () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_group","arguments":{"name":"x","__proto__":{"a":1}}}}'
    const answer = await fetch(`${tools.world.origin}/mcp`, {
      method: 'POST',
      headers: { ...OLDER, 'content-type': 'application/json', authorization: `Bearer ${tools.acme.writeKey}` },
      body: text,
    })
    const { result } = (await answer.json()) as { result: { structuredContent: { error: { message: string } } } }
    expect(result.structuredContent.error.message).toBe('__proto__: is not a field of this operation')
  })

  test('the limit of the workspace, which REST and tools use up together', async () => {
    for (let at = 0; at < 300; at += 1) {
      expect((await tools.acme.api('GET', '/v1/whoami')).status).toBe(200)
      expect((await tools.send(callOf('get_identity'))).body.result.isError).toBeUndefined()
    }
    expect((await tools.acme.api('GET', '/v1/whoami')).status).toBe(429)
    const call = await tools.send(callOf('get_identity'))
    expect([call.status, call.body.result.structuredContent.error.code]).toEqual([200, 'rate_limited'])
    expect(call.body.result.structuredContent.error.retryAfterSeconds).toBeGreaterThan(0)
    expect(call.headers.get('x-ratelimit-remaining')).toBe('0')
    const list = await tools.send(LIST)
    expect([list.status, list.body.error.code]).toEqual([429, 'rate_limited'])
    expect((await tools.send(LIST, { key: null })).status).toBe(200)
  })

  test('an unknown tool is an error of the protocol', async () => {
    const { status, body } = await tools.send(callOf('become_root'))
    expect([status, body.error.code, body.error.message]).toEqual([
      200,
      -32602,
      'There is no tool named "become_root".',
    ])
  })
})

describe('who may come in', () => {
  let session: string
  beforeAll(async () => {
    session = (await createPerson(tools.world.services, tools.acme.workspaceId, 'owner')).sessionSecret
  })
  const ask = (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
    new Promise<{ status: number; code: unknown; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const sent = httpRequest(
        {
          host: '127.0.0.1',
          port: tools.world.port,
          method,
          path,
          headers: { ...OLDER, 'content-type': 'application/json', ...headers },
        },
        (reply) => {
          let text = ''
          reply.setEncoding('utf8')
          reply.on('data', (part: string) => {
            text += part
          })
          reply.on('end', () =>
            resolve({
              status: reply.statusCode!,
              code: text === '' ? null : (JSON.parse(text) as { error?: { code: unknown } }).error?.code,
              headers: reply.headers,
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(method === 'POST' ? JSON.stringify(LIST) : undefined)
    })

  test.each([['earshot.test'], ['EARSHOT.test:443'], ['localhost:PORT'], ['127.0.0.1:PORT'], ['[::1]:PORT']])(
    'a request to %s',
    async (host) => {
      expect((await ask({ host: host.replace('PORT', String(tools.world.port)) })).status).toBe(200)
    },
  )

  test.each([
    ['evil.example'],
    ['earshot.test.evil.example'],
    ['localhost:1'],
    ['localhost'],
    ['127.0.0.1.evil.example:PORT'],
    ['earshot.test:8080'],
    ['10.0.0.1:PORT'],
  ])('not a request to %s', async (host) => {
    const { status, code } = await ask({ host: host.replace('PORT', String(tools.world.port)) })
    expect([status, code]).toEqual([403, 'invalid_host'])
  })

  test.each([['https://earshot.test'], ['http://localhost:6274'], ['http://127.0.0.1:3000']])(
    'a page of %s',
    async (origin) => {
      expect((await ask({ origin })).status).toBe(200)
    },
  )

  test.each([
    ['https://evil.example'],
    ['null'],
    ['https://earshot.test.evil.example'],
    ['file://localhost'],
    ['http://earshot.test'],
    [''],
  ])('not a page of "%s" without a credential of its own, which is told where to get one', async (origin) => {
    const { status, code, headers } = await ask({ origin })
    expect([status, code]).toEqual([403, 'invalid_origin'])
    expect(headers['www-authenticate']).toBe(`Bearer ${METADATA}, error="insufficient_scope", scope="read write"`)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  })

  test.each([['Basic YTpi'], ['Bearer'], ['Bearer '], ['ref_abc'], ['']])(
    'not a page whose credential is "%s"',
    async (authorization) => {
      const { status, code } = await ask({ origin: 'https://evil.example', authorization })
      expect([status, code]).toEqual([403, 'invalid_origin'])
    },
  )

  test('not a page through a name that leads here, and it is not told where to sign in', async () => {
    const { status, code, headers } = await ask({
      host: `evil.example:${tools.world.port}`,
      origin: `http://evil.example:${tools.world.port}`,
    })
    expect([status, code, headers['www-authenticate']]).toEqual([403, 'invalid_host', undefined])
  })

  test('any page with a credential, and never with cookies', async () => {
    const { status, headers } = await ask({
      origin: 'https://app.example',
      authorization: `Bearer ${tools.acme.writeKey}`,
    })
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
      200,
      '*',
      undefined,
    ])
    const cookie = `earshot_session=${session}; __Host-earshot_session=${session}`
    expect((await ask({ origin: 'https://app.example', cookie })).code).toBe('invalid_origin')
    const asked = await ask({ origin: 'https://app.example', 'access-control-request-method': 'POST' }, 'OPTIONS')
    expect(asked.status).toBe(204)
    expect(asked.headers['access-control-allow-headers']).toMatch(
      /Authorization.*MCP-Protocol-Version, Mcp-Method, Mcp-Name/,
    )
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('nobody with %s', async (method) => {
    const { status, headers } = await ask({ authorization: `Bearer ${tools.acme.writeKey}` }, method)
    expect([status, headers['allow']]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('bodies', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${tools.world.origin}/mcp`, {
      method: 'POST',
      headers: { ...OLDER, 'content-type': 'application/json', ...headers },
      body,
    })

  test('no batches, empty or not, of neither protocol', async () => {
    for (const batch of [[], [LIST], [LIST, LIST], [current(LIST).message]]) {
      const { status, body } = await tools.send(batch)
      expect([status, body.error.code]).toEqual([400, -32600])
    }
  })

  test('what is no JSON, or no message', async () => {
    for (const [text, code] of [
      ['{', -32700],
      ['', -32700],
      ['"x"', -32600],
      ['{}', -32600],
      ['null', -32600],
    ] as const) {
      const answer = await post(text)
      expect([text, answer.status, ((await answer.json()) as { error: { code: number } }).error.code]).toEqual([
        text,
        400,
        code,
      ])
    }
  })

  test('no more than 128 KiB', async () => {
    const fits = await post(JSON.stringify(callOf('search_mentions', { q: 'x'.repeat(127 * 1024) })))
    expect(fits.status).toBe(401)
    const answer = await post(JSON.stringify(callOf('search_mentions', { q: 'x'.repeat(128 * 1024) })))
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'payload_too_large',
    ])
  })

  test('JSON and nothing else', async () => {
    const answer = await post(JSON.stringify(LIST), { 'content-type': 'text/plain' })
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      415,
      'unsupported_media_type',
    ])
  })
})

test('a request is logged as the operation that it called, with its workspace and without its arguments', async () => {
  await tools.send(callOf('search_mentions', { q: 'confidential' }))
  await tools.send(callOf('get_mention', { id: 'nonsense' }))
  const lines = tools.world.logged.filter(({ route }) => route === '/mcp').slice(-2)
  expect(lines).toMatchObject([
    { operation: 'list-mentions', status: 200, workspaceId: tools.acme.orgId },
    { operation: 'get-mention', status: 200, code: 'not_found' },
  ])
  expect(JSON.stringify(lines)).not.toContain('confidential')
})

function detailsOf(code: string, message: string): object {
  const [field, reason] = message.split(': ')
  return code === 'validation_error' ? { details: [{ field, reason }] } : {}
}
