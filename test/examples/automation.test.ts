import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { type Received, startLocalReceiver } from '../../src/channels/local-receiver.suite.ts'
import { useFreshResource } from '../use-world.ts'
import { createSender, HOSTILE, PROJECT, readExample, useDeliveries } from './deliveries.ts'

const here = useDeliveries()
/** Stands where n8n, Zapier or Make would take the delivery. */
const taker = useFreshResource(() => startLocalReceiver())
const target = useFreshResource(() => startLocalReceiver())

async function takeDelivery(): Promise<{ request: Received; secret: string }> {
  const sender = await createSender(here, taker.url)
  await sender.send({ text: HOSTILE, title: 'Größe 火箭' }, { intents: ['bug_report'], sentiment: 'negative' })
  await here.soon(() => expect(taker.received.length).toBe(1), 200)
  return { request: taker.received[0]!, secret: sender.secret }
}

interface Item {
  // biome-ignore lint/suspicious/noExplicitAny: items hold what the nodes of the workflow make
  json: any
}

interface WorkflowNode {
  name: string
  type: string
  typeVersion: number
  // biome-ignore lint/suspicious/noExplicitAny: the parameters are what is tested
  parameters: Record<string, any>
  onError?: string
}

interface Workflow {
  nodes: WorkflowNode[]
  connections: Record<string, { main: { node: string; type: string; index: number }[][] }>
}

const workflow = JSON.parse(readExample('n8n-workflow.json')) as Workflow

/** The parameters that n8n describes for these versions of its nodes, in the folders of `packages/nodes-base/nodes`. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'webhook 2': ['httpMethod', 'path', 'responseMode', 'options.rawBody'],
  'code 2': ['mode', 'jsCode'],
  'crypto 1': ['action', 'type', 'value', 'dataPropertyName', 'secret', 'encoding'],
  'if 1': ['conditions.boolean.0.value1', 'conditions.boolean.0.operation', 'conditions.boolean.0.value2'],
  'httpRequest 4.2': ['method', 'url', 'sendBody', 'contentType', 'specifyBody', 'jsonBody', 'options.timeout'],
  'respondToWebhook 1.1': ['respondWith', 'options.responseCode'],
}
const kindOf = ({ type }: WorkflowNode) => type.replace('n8n-nodes-base.', '')

function pathsOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [prefix]
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, prefix === '' ? name : `${prefix}.${name}`))
}

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor

/** The value of a parameter for an item, as n8n reads expressions. */
function resolved(parameter: unknown, { json }: Item): unknown {
  const expression = /^=\{\{(.*)\}\}$/s.exec(String(parameter))?.[1]
  return expression === undefined ? parameter : new Function('$json', `return (${expression})`)(json)
}

/** What a node does with its item: the number of the output that it leaves by, and the item there. */
async function runNode(node: WorkflowNode, item: Item, request: Received): Promise<[output: number, item: Item]> {
  const { parameters } = node
  const value = (name: string) => resolved(parameters[name], item)
  switch (kindOf(node)) {
    case 'webhook':
      return [0, { json: { headers: request.headers, params: {}, query: {}, body: {} } }]
    case 'code': {
      const helpers = { getBinaryDataBuffer: async () => request.body }
      const run = new AsyncFunction('$input', String(parameters['jsCode']))
      return [0, (await run.call({ helpers }, { first: () => item }))[0]]
    }
    case 'crypto': {
      const hmac = createHmac(String(value('type')), String(value('secret'))).update(String(value('value')))
      return [0, { json: { ...item.json, [String(value('dataPropertyName'))]: hmac.digest('hex') } }]
    }
    case 'if': {
      const [condition] = parameters['conditions'].boolean
      return [resolved(condition.value1, item) === condition.value2 ? 0 : 1, item]
    }
    case 'httpRequest': {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(target.url, { method: 'POST', headers, body: String(value('jsonBody')) })
      return [reply.ok ? 0 : 1, { json: {} }]
    }
  }
  throw new Error(`a node of the kind ${node.type} is not known here`)
}

/** Follows the connections from the webhook to the answer, and returns its status. */
async function runWorkflow(secret: string, request: Received): Promise<number> {
  const nodes = structuredClone(workflow.nodes)
  nodes.find((node) => kindOf(node) === 'crypto')!.parameters['secret'] = secret
  let node = nodes.find((candidate) => kindOf(candidate) === 'webhook')!
  let item: Item = { json: {} }
  while (kindOf(node) !== 'respondToWebhook') {
    const [output, next] = await runNode(node, item, request)
    const connection = workflow.connections[node.name]!.main[output]![0]!
    node = nodes.find(({ name }) => name === connection.node)!
    item = next
  }
  return node.parameters['options'].responseCode
}

test('the workflow of n8n has only parameters that its nodes know, and every connection leads to a node', () => {
  for (const node of workflow.nodes) {
    expect(node.type).toMatch(/^n8n-nodes-base\./)
    expect(pathsOf(node.parameters).sort()).toEqual(
      [...(PARAMETERS[`${kindOf(node)} ${node.typeVersion}`] ?? [])].sort(),
    )
    // A failing target leaves by the second output instead of ending the workflow.
    expect(node.onError).toBe(kindOf(node) === 'httpRequest' ? 'continueErrorOutput' : undefined)
  }
  const names = workflow.nodes.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const [from, { main }] of Object.entries(workflow.connections))
    for (const connection of main.flat()) {
      expect([names.includes(from), names.includes(connection.node)]).toEqual([true, true])
      expect(connection).toMatchObject({ type: 'main', index: 0 })
    }
})

test('the workflow of n8n hands a genuine delivery to the target and answers what came of it', async () => {
  const { request, secret } = await takeDelivery()
  expect(await runWorkflow(secret, request)).toBe(204)
  expect(JSON.parse(target.received[0]!.body.toString())).toEqual({
    id: expect.stringMatching(/^dlv_/),
    event: 'mention.matched',
    data: JSON.parse(request.body.toString()).data,
  })
  target.play({ kind: 'answers', status: 500 })
  expect(await runWorkflow(secret, request)).toBe(503)
})

test('the workflow of n8n refuses forged and recorded requests', async () => {
  const { request, secret } = await takeDelivery()
  const forged = { ...request, body: Buffer.from(request.body.toString().replace('bluesky', 'reddit')) }
  expect(await runWorkflow(secret, forged)).toBe(401)
  expect(await runWorkflow('whsec_another', request)).toBe(401)
  expect(await runWorkflow(secret, { ...request, headers: {} })).toBe(401)
  const stamp = String(Number(request.headers['x-mentions-timestamp']) - 600)
  const signature = createHmac('sha256', secret).update(`${stamp}.`).update(request.body).digest('hex')
  const old = { 'x-mentions-timestamp': stamp, 'x-mentions-signature-v2': `v2=${signature}` }
  expect(await runWorkflow(secret, { ...request, headers: old })).toBe(401)
  expect(target.received).toEqual([])
})

/** The first column of the table of a section of the guide, without its backticks. */
function fieldsInGuide(): string[] {
  const tokens = marked.lexer(readFileSync(`${PROJECT}docs/guides/recipes.md`, 'utf8'))
  const table = tokens.find((token) => token.type === 'table' && token.header[0].text === 'Field of a mention')
  if (table?.type !== 'table') throw new Error('the guide has no table of fields')
  return table.rows.map(([cell]: { text: string }[]) => cell!.text.replaceAll('`', ''))
}

test('the fields that the guide names for Zapier and Make are in a delivery', async () => {
  const { request } = await takeDelivery()
  const delivery = JSON.parse(request.body.toString())
  const fields = fieldsInGuide()
  expect(fields.length).toBeGreaterThan(5)
  const valueAt = (path: string) => path.split('.').reduce((value, name) => value?.[name], delivery)
  expect(fields.filter((path) => [undefined, null].includes(valueAt(path)))).toEqual([])
})
