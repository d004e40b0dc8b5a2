import { once } from 'node:events'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { register } from 'tsx/esm/api'

/**
 * Serves the tools that the conformance suite wants to call, through the same handling of the protocol as the product's own
 * tools: what the suite finds wrong in the form of answers would be wrong in the product too. No credential is asked for.
 * Answers where it listens and how to end it.
 */
export async function startFixtureServer(protocolFile) {
  const unregister = register()
  const { answer } = await import(pathToFileURL(protocolFile))
  await unregister()
  const server = createServer(async (request, reply) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const { status, body } =
      request.method === 'POST'
        ? await answer(exchangeOf(request, JSON.parse(Buffer.concat(parts).toString() || 'null')))
        : { status: 405, body: null }
    reply.writeHead(status, body === null ? {} : { 'content-type': 'application/json' }).end(body ?? '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://localhost:${server.address().port}/mcp`, close: () => server.close().closeAllConnections() }
}

function exchangeOf({ headers }, message) {
  return {
    message,
    headers,
    signal: new AbortController().signal,
    list: () =>
      TOOLS.map(({ name, inputSchema }) => ({
        name,
        description: `What the conformance suite expects of ${name}.`,
        inputSchema,
      })),
    has: (name) => TOOLS.some((tool) => tool.name === name),
    async call(name) {
      const known = TOOLS.find((tool) => tool.name === name)
      if (known === undefined)
        throw Object.assign(new Error(`There is no tool named ${name}.`), { code: INVALID_PARAMS })
      return known.result
    },
  }
}

/** What the protocol answers to the name of a tool that is not there. */
const INVALID_PARAMS = -32_602
const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false }
const tool = (name, content, more = {}) => ({ name, inputSchema: NO_ARGUMENTS, result: { content, ...more } })
const text = (words) => ({ type: 'text', text: words })
const resource = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } })

/** One red pixel, and a recording of nothing. */
const IMAGE = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
}
const AUDIO = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
}

const BROAD_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const TOOLS = [
  tool('test_simple_text', [text('This is a simple text response for testing.')]),
  tool('test_image_content', [IMAGE]),
  tool('test_audio_content', [AUDIO]),
  tool('test_embedded_resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  tool('test_multiple_content_types', [
    text('Multiple content types test:'),
    IMAGE,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  tool('test_error_handling', [text('This tool intentionally returns an error for testing')], { isError: true }),
  tool('test_logging_tool', [text('Nothing is logged to the client.')]),
  tool('test_streaming_elicitation', [text('Nothing is asked of the client.')]),
  { ...tool('json_schema_2020_12_tool', [text('Any JSON Schema is shown as it is.')]), inputSchema: BROAD_SCHEMA },
]
