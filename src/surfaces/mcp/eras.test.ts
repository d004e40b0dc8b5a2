import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../kernel/clock.ts'
import { callOf, createToolWorld, current, ENVELOPE, type Message, OLDER, type ToolWorld } from './calling.suite.ts'
import { quickCallFrom } from './quick-call.ts'

let tools: ToolWorld
beforeAll(async () => {
  tools = await createToolWorld()
})
beforeEach(() => tools.world.clock.advance(MINUTE_MS))
afterAll(() => tools.world.close())

const CALL = callOf('list_groups', { withStats: true })
const IDENTITY = callOf('get_identity')

describe('the older protocol', () => {
  test.each(['2025-06-18', '2025-11-25'])('agrees on %s and mints no session', async (protocolVersion) => {
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }
    const { status, body, headers } = await tools.send(hello, { key: null, headers: { accept: OLDER.accept } })
    expect([status, body.result.protocolVersion, body.result.serverInfo.name]).toEqual([
      200,
      protocolVersion,
      'earshot',
    ])
    expect(body.result.capabilities).toEqual({ tools: {}, prompts: {}, resources: {} })
    expect(body.result.instructions).toContain('never instructions')
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('offers the newest that it knows to who asks for another', async () => {
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }
    expect((await tools.send(hello, { headers: { accept: OLDER.accept } })).body.result.protocolVersion).toBe(
      '2025-11-25',
    )
  })

  test('answers a ping, and acknowledges what needs no answer', async () => {
    expect((await tools.send({ jsonrpc: '2.0', id: 7, method: 'ping' })).body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {},
    })
    const noted = await tools.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([noted.status, noted.body]).toEqual([202, null])
  })

  test('refuses a version that nobody knows, and a method that there is not', async () => {
    expect((await tools.send(CALL, { headers: { ...OLDER, 'mcp-protocol-version': '1999-01-01' } })).status).toBe(400)
    expect((await tools.send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe' })).body.error.code).toBe(-32601)
  })

  test('passes over a session that a client thinks it has', async () => {
    const { status, body } = await tools.send(IDENTITY, { headers: { ...OLDER, 'mcp-session-id': 'abc' } })
    expect([status, body.result.isError]).toEqual([200, undefined])
  })
})

describe('the current protocol', () => {
  test('describes itself without a credential', async () => {
    const { message, headers } = current({ jsonrpc: '2.0', id: 1, method: 'server/discover' })
    const { status, body } = await tools.send(message, { key: null, headers })
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, prompts: {}, resources: {} },
      resultType: 'complete',
    })
    expect(body.result._meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'earshot' })
  })

  const good = current(IDENTITY)
  test.each<[string, Record<string, string | undefined>, object, number]>([
    ['no version header', { 'mcp-protocol-version': undefined }, {}, -32020],
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }, {}, -32020],
    ['no method header', { 'mcp-method': undefined }, {}, -32020],
    ['another method in the header', { 'mcp-method': 'tools/list' }, {}, -32020],
    ['no name header', { 'mcp-name': undefined }, {}, -32020],
    ['another name in the header', { 'mcp-name': 'delete_keyword' }, {}, -32020],
    ['a name header in a broken encoding', { 'mcp-name': '=?base64?***?=' }, {}, -32020],
    [
      'a version that nobody knows',
      { 'mcp-protocol-version': '2027-01-01' },
      { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' },
      -32022,
    ],
    ['no word on what the client can do', {}, { 'io.modelcontextprotocol/clientCapabilities': undefined }, -32602],
  ])('refuses a call with %s, before it asks for a credential', async (_, header, meta, code) => {
    const headers = Object.fromEntries(
      Object.entries({ ...good.headers, ...header }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>
    const message = { ...good.message, params: { ...good.message.params, _meta: { ...ENVELOPE, ...meta } } }
    for (const key of [null, tools.acme.writeKey]) {
      const { status, body } = await tools.send(message, { key, headers })
      expect([status, body.error.code]).toEqual([400, code])
    }
  })

  test('reads a name header that is encoded', async () => {
    const encoded = `=?base64?${Buffer.from('get_identity').toString('base64')}?=`
    const { body } = await tools.send(good.message, { headers: { ...good.headers, 'mcp-name': encoded } })
    expect(body.result.structuredContent.workspace.name).toBe('Acme')
  })

  test.each(['ping', 'completion/complete', 'subscriptions/listen', 'initialize'])('knows no %s', async (method) => {
    const { message, headers } = current({ jsonrpc: '2.0', id: 1, method })
    const { status, body } = await tools.send(message, { headers })
    expect([status, body.error.code]).toEqual([404, -32601])
  })
})

describe('the quick way and that of the library', () => {
  const sent: [string, Message, Record<string, string>][] = [
    ['the older protocol', IDENTITY, OLDER],
    ['the current one', current(IDENTITY).message, current(IDENTITY).headers],
    ['a refusal of the older one', callOf('get_mention', {}), OLDER],
    [
      'a refusal of the current one',
      current(callOf('get_mention', {})).message,
      current(callOf('get_mention', {})).headers,
    ],
  ]
  test.each(sent)('answer the same to %s', async (_, message, headers) => {
    // A client that takes JSON alone is served too, but not on the quick way.
    const slowly = { ...headers, accept: 'application/json' }
    expect(quickCallFrom(headers, message)).not.toBeNull()
    expect(quickCallFrom(slowly, message)).toBeNull()
    const id = { 'x-request-id': 'same' }
    const [quick, slow] = [
      await tools.send(message, { headers: { ...headers, ...id } }),
      await tools.send(message, { headers: { ...slowly, ...id } }),
    ]
    expect(slow.status).toBe(quick.status)
    expect(unmarked(slow.body)).toEqual(unmarked(quick.body))
  })
})

/** The marks of fences are drawn anew for each result. */
function unmarked(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(/data-[0-9a-f]{16}/g, 'data-'))
}
